// Keys, buttons, the theme and printing.
const keyTable = [
  ["+ −", "zoom in, out", { "+": () => zoom(0.5), "=": () => zoom(0.5),
    "-": () => zoom(2), "−": () => zoom(2) }],
  ["0", "show all", { 0: showAll }],
  ["← →", "earlier, later; with Shift by a whole view", {}],
  ["Home End", "the beginning, the end", {
    Home: () => show(-margin, view.to - view.from - margin),
    End: () => show(end + margin - (view.to - view.from), end + margin),
  }],
  ["n p", "the next record, the one before", {
    n: () => pickNext(1), p: () => pickNext(-1),
  }],
  ["a b", "a cursor at the pointer, or in the middle", {
    a: () => setCursor("a", cursors.hover ?? (view.from + view.to) / 2),
    b: () => setCursor("b", cursors.hover ?? (view.from + view.to) / 2),
  }],
  ["m", "show what is between the cursors", { m: () => {
    if (cursors.a === undefined || cursors.b === undefined) return;
    show(Math.min(cursors.a, cursors.b), Math.max(cursors.a, cursors.b));
  } }],
  ["Esc", "no cursors, no record", { Escape: () => {
    closePopovers();
    [cursors.a, cursors.b] = [undefined, undefined];
    pick(-1);
  } }],
  ["/", "filter the records", { "/": () => byId("filter").focus() }],
  ["t", "dark or light", { t: () => switchTheme() }],
  ["l", "what colours and shapes mean", { l: () => toggle("legend") }],
  ["?", "these keys", { "?": () => toggle("help") }],
];
const mouseTable = [
  ["wheel", "zoom; with Shift along the time, with Alt over the rows"],
  ["drag", "move; on the ruler: show what was marked"],
  ["click", "pick a mark, or set cursor A; with Shift cursor B"],
];
const actions = {};
for (const [, , table] of keyTable) Object.assign(actions, table);

const onKey = (event) => {
  const isTyping = event.target.matches?.("input[type=search]");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    move((event.key === "ArrowLeft" ? -1 : 1) * (event.shiftKey ? 1 : 0.1));
  } else if (actions[event.key]) {
    actions[event.key]();
  } else {
    return;
  }
  event.preventDefault();
};

const popovers = {
  rows: "rows-button", legend: "legend-button", help: "help-button",
};
const closePopovers = () => {
  for (const [id, button] of Object.entries(popovers)) {
    byId(id).hidden = true;
    byId(button).setAttribute("aria-expanded", "false");
  }
};
const toggle = (id) => {
  const opens = byId(id).hidden;
  closePopovers();
  byId(id).hidden = !opens;
  byId(popovers[id]).setAttribute("aria-expanded", `${opens}`);
  if (opens) byId(id).querySelector("input")?.focus();
};

const darkOutside = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : darkOutside.matches;
};
const themeChanged = () => {
  byId("theme").textContent = isDark() ? "Light" : "Dark";
  readInk();
  paintSoon();
};
const switchTheme = () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  themeChanged();
};

// Paper is light, and the chart has one page of it, in px of CSS: A4, without its edges. So
// the rows alone are printed that change, as large as they can be.
const sheet = { width: 1020, height: 530 };
const beforePrint = () => {
  document.documentElement.classList.add("printing");
  const changing = onlyChanging;
  onlyChanging = true;
  placeRows();
  onlyChanging = changing;
  const scale = Math.min(1, sheet.height / view.height);
  byId("chart").style.zoom = paperZoom = scale;
  byId("field").style.width = `${Math.floor(sheet.width / scale) - 204}px`;
  byId("left-out").textContent = leftOut(showList());
  byId("left-out").hidden = false;
  readInk();
  resize();
  paintAll();
  // What lies over the chart is white on paper: what is on that goes onto the chart.
  paintCursors(byId("plot").getContext("2d"));
};
const afterPrint = () => {
  document.documentElement.classList.remove("printing");
  paperZoom = 1;
  byId("chart").style.zoom = "";
  byId("field").style.width = "";
  byId("left-out").hidden = true;
  placeRows();
  readInk();
};

const listenToKeys = () => {
  document.addEventListener("keydown", onKey);
  const buttons = {
    "zoom-in": () => zoom(0.5), "zoom-out": () => zoom(2), fit: showAll,
    back: () => move(-0.5), on: () => move(0.5), theme: switchTheme,
    print: () => window.print(), "rows-button": () => toggle("rows"),
    "legend-button": () => toggle("legend"), "help-button": () => toggle("help"),
    "rows-all": () => hideRows(false),
    "rows-none": () => hideRows(true),
  };
  for (const [id, action] of Object.entries(buttons)) {
    byId(id).addEventListener("click", action);
  }
  byId("changing").addEventListener("change", () => {
    onlyChanging = byId("changing").checked;
    placeRows();
  });
  byId("filter").addEventListener("input", () => search(byId("filter").value));
  byId("rows-filter").addEventListener("input", listRows);
  document.addEventListener("pointerdown", (event) => {
    const isInside = event.target instanceof Element
      && event.target.closest(".popover, [aria-controls]");
    if (!isInside) closePopovers();
  });
  for (const [keys, words] of [...keyTable, ...mouseTable]) {
    byId("keys").append(element("dt", "", keys), element("dd", "", words));
  }
  darkOutside.addEventListener("change", themeChanged);
  window.addEventListener("beforeprint", beforePrint);
  window.addEventListener("afterprint", afterPrint);
  window.addEventListener("hashchange", readLink);
  new ResizeObserver(() => {
    if (!document.documentElement.classList.contains("printing")) resize();
  }).observe(byId("main"));
};
