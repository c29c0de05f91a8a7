// Which part of the time is shown, where rows stand, and the link that leads back there.
const margin = end * 0.01;
const shortest = Math.min(100, end);
const view = { from: -margin, to: end + margin, width: 800, height: 0 };
const xAt = (t) => (t - view.from) / (view.to - view.from) * view.width;
const timeAt = (x) => view.from + x / view.width * (view.to - view.from);

let waitsForPaint = false;
const paintSoon = () => {
  if (waitsForPaint) return;
  waitsForPaint = true;
  requestAnimationFrame(() => { waitsForPaint = false; paintAll(); });
};
let listTimer = 0;
const viewChanged = () => {
  paintSoon();
  clearTimeout(listTimer);
  listTimer = setTimeout(() => { showList(); writeLink(); }, 120);
};
const show = (from, to) => {
  const span = Math.min(Math.max(to - from, shortest), end + 2 * margin);
  const middle = (from + to) / 2;
  view.from = Math.min(Math.max(middle - span / 2, -margin), end + margin - span);
  view.to = view.from + span;
  viewChanged();
};
const zoom = (factor, at = (view.from + view.to) / 2) => {
  show(at - (at - view.from) * factor, at + (view.to - at) * factor);
};
const move = (part) => {
  const by = (view.to - view.from) * part;
  show(view.from + by, view.to + by);
};
const showAll = () => show(-margin, end + margin);
const reveal = (t) => {
  const span = view.to - view.from;
  if (t < view.from + span * 0.02 || t > view.to - span * 0.02) {
    show(t - span / 2, t + span / 2);
  }
};

// #t=12.5,14 shows the time from 12.5 s to 14 s; #t=10:00:12.5 what is round that time of
// day; &r=7 picks a record.
const seconds = (t) => `${+(t / 1e6).toFixed(6)}`;
let ownLink = "";
const writeLink = () => {
  const isAll = view.to - view.from >= end + 2 * margin;
  const parts = isAll ? [] : [`t=${seconds(view.from)},${seconds(view.to)}`];
  if (picked >= 0) parts.push(`r=${picked}`);
  ownLink = parts.length > 0 ? `#${parts.join("&")}` : "";
  // A page in a frame may not be allowed to.
  try {
    history.replaceState(null, "", ownLink || location.pathname + location.search);
  } catch { ownLink = location.hash; }
};
const readLink = () => {
  if (location.hash === ownLink) return;
  const parts = new URLSearchParams(location.hash.slice(1));
  const times = (parts.get("t") ?? "").split(",").map(parsedTime);
  if (times[0] !== undefined && times[1] !== undefined) show(times[0], times[1]);
  else if (times[0] !== undefined) show(times[0] - 1e6, times[0] + 1e6);
  const record = Number(parts.get("r") ?? -1);
  if (Number.isInteger(record) && record >= 0 && record < records.count) pick(record);
};

// Where the rows stand.
const headHeight = 24;
const closed = new Set();
let onlyChanging = false;
const isShown = (row) => !row.hidden && !(onlyChanging && !row.changes);
const placeRows = () => {
  const labels = byId("labels");
  labels.replaceChildren();
  let top = 0;
  for (const group of groups) {
    const members = rows.filter((row) => row.group === group.name && isShown(row));
    for (const row of rows) if (row.group === group.name) row.top = -1;
    group.top = -1;
    if (members.length === 0) continue;
    group.top = top;
    labels.append(groupLabel(group, top, members.length));
    top += headHeight;
    if (closed.has(group.name)) continue;
    for (const row of members) {
      row.top = top;
      labels.append(rowLabel(row));
      top += row.height;
    }
  }
  view.height = Math.max(top + 4, 60);
  labels.style.height = `${view.height}px`;
  resize();
};
const groupLabel = (group, top, count) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "group";
  button.style.top = `${top}px`;
  const isClosed = closed.has(group.name);
  button.setAttribute("aria-expanded", `${!isClosed}`);
  const hidden = isClosed ? ` (${count})` : "";
  button.textContent = `${isClosed ? "▸" : "▾"} ${group.title}${hidden}`;
  button.addEventListener("click", () => {
    if (isClosed) closed.delete(group.name); else closed.add(group.name);
    placeRows();
  });
  return button;
};
const rowLabel = (row) => {
  const label = document.createElement("div");
  label.className = `row ${row.kind}`;
  label.style.top = `${row.top}px`;
  label.style.height = `${row.height}px`;
  const name = document.createElement("span");
  name.className = "name";
  name.textContent = row.name;
  name.title = row.name;
  row.readout = document.createElement("span");
  row.readout.className = "value";
  const hide = document.createElement("button");
  hide.type = "button";
  hide.textContent = "×";
  hide.className = "hide";
  hide.setAttribute("aria-label", `Hide ${row.name}`);
  hide.addEventListener("click", () => { row.hidden = true; placeRows(); listRows(); });
  label.append(name, row.readout, hide);
  return label;
};
let paperZoom = 1;
const fitCanvas = (canvas, width, height) => {
  const scale = (window.devicePixelRatio || 1) * paperZoom;
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.getContext("2d").setTransform(scale, 0, 0, scale, 0, 0);
};
const resize = () => {
  view.width = Math.max(byId("field").clientWidth, 50);
  fitCanvas(byId("plot"), view.width, view.height);
  fitCanvas(byId("overlay"), view.width, view.height);
  fitCanvas(byId("ruler"), view.width, 30);
  fitCanvas(byId("overview"), Math.max(byId("overview").parentElement.clientWidth, 50), 44);
  paintSoon();
};
