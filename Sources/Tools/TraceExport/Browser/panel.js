// The records beside the chart: the one that is picked, and the list of those in view.
const element = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  // All that comes from the gate goes in as text.
  if (text !== undefined) made.textContent = text;
  return made;
};
const fieldText = (value) => {
  if (Array.isArray(value)) return value.map(fieldText).join(", ");
  if (value !== null && typeof value === "object") {
    return Object.entries(value).map(([name, part]) => `${name} ${fieldText(part)}`)
      .join(", ");
  }
  return `${value}`;
};

const pick = (index) => {
  picked = index;
  const place = byId("record");
  if (index < 0) {
    place.replaceChildren(element("p", "empty", "Pick a mark, or a record of the list."));
    viewChanged();
    return;
  }
  const time = records.times[index];
  const kind = severity(records.priority(index));
  const head = element("div", "head");
  head.append(element("span", `badge ${kind}`, kind));
  head.append(element("h2", "", inWords(records.name(index))));
  const facts = element("dl", "facts");
  const fact = (name, value) => {
    facts.append(element("dt", "", name), element("dd", "", value));
  };
  fact("time", `${dayText(time)} ${timeText(time, 6)}`);
  fact("UTC", utcText(time));
  fact("elapsed", `${(time / 1e6).toFixed(6)} s`);
  for (const [name, value] of Object.entries(records.field(index))) {
    fact(inWords(name), fieldText(value));
  }
  const tools = element("div", "tools");
  const button = (text, action) => {
    const made = element("button", "", text);
    made.type = "button";
    made.addEventListener("click", action);
    tools.append(made);
  };
  button("◀ before", () => pickNext(-1));
  button("next ▶", () => pickNext(1));
  button("Look closer", () => show(time - 1e6, time + 1e6));
  place.replaceChildren(
    head, element("p", "sentence", records.sentence(index)), facts, tools);
  place.dataset.index = `${index}`;
  reveal(time);
  viewChanged();
};
// The next record that the filter leaves, from the one that is picked or from the left.
const pickNext = (step) => {
  const edge = countBelow(records.times, view.from) - (step > 0 ? 1 : 0);
  let index = (picked >= 0 ? picked : edge) + step;
  while (index >= 0 && index < records.count && !isFound[index]) index += step;
  if (index >= 0 && index < records.count) pick(index);
};

const listLimit = 200;
// Lists the records in view, and answers with how many are listed.
const showList = () => {
  const first = countBelow(records.times, view.from);
  const last = countUpTo(records.times, view.to);
  const list = byId("list"), items = [];
  let found = 0;
  for (let i = first; i < last; i++) found += isFound[i];
  // The one that is picked stays in sight, where it is in view.
  let start = first;
  if (picked >= first && picked < last && found > listLimit) {
    start = Math.max(first, picked - listLimit / 2);
  }
  let shown = 0;
  for (let i = start; i < last && shown < listLimit; i++) {
    if (!isFound[i]) continue;
    shown++;
    items.push(listItem(i));
  }
  if (found > shown) {
    items.push(element("li", "more", `${found - shown} more: zoom in, or filter`));
  }
  list.replaceChildren(...items);
  byId("found").textContent = `${found} in view`;
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  return shown;
};
const listItem = (index) => {
  const item = element("li"), button = element("button");
  button.type = "button";
  button.dataset.index = `${index}`;
  const kind = severity(records.priority(index));
  button.append(
    element("time", "", timeText(records.times[index])),
    element("span", `dot ${kind}`), element("span", "words", records.sentence(index)));
  button.setAttribute(
    "aria-label",
    `${timeText(records.times[index])}, ${kind}: ${records.sentence(index)}`);
  if (index === picked) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => {
    pick(index);
    byId("list").querySelector(`[data-index="${index}"]`)?.focus();
  });
  item.append(button);
  return item;
};

// All words of the filter have to come in the name, the sentence or the fields.
const search = (text) => {
  const wanted = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const sentences = records.sentenceTexts.map((sentence) => sentence.toLowerCase());
  const names = records.kindNames.map(([name]) => `${name} ${inWords(name)}`);
  const fields = records.fieldObjects.map((field) => fieldText(field).toLowerCase());
  isFound = new Uint8Array(records.count);
  for (let i = 0; i < records.count; i++) {
    const [name, sentence] = [names[records.kinds[i]], sentences[records.sentences[i]]];
    const field = fields[records.fields[i]];
    isFound[i] = wanted.every((word) =>
      name.includes(word) || sentence.includes(word) || field.includes(word)) ? 1 : 0;
  }
  showList();
  paintSoon();
};

// The rows, to be hidden and shown again.
const listRows = () => {
  const wanted = byId("rows-filter").value.toLowerCase();
  const list = byId("rows-list");
  list.replaceChildren();
  for (const group of groups) {
    const members = rows.filter((row) =>
      row.group === group.name && row.name.includes(wanted));
    if (members.length === 0) continue;
    const set = element("fieldset");
    set.append(element("legend", "", group.title));
    for (const row of members) {
      const label = element("label", "check"), box = element("input");
      box.type = "checkbox";
      box.checked = !row.hidden;
      box.dataset.row = row.id;
      box.addEventListener("change", () => { row.hidden = !box.checked; placeRows(); });
      label.append(box, element("span", row.changes ? "" : "idle", row.name));
      set.append(label);
    }
    list.append(set);
  }
};
const hideRows = (hidden) => {
  const wanted = byId("rows-filter").value.toLowerCase();
  for (const row of rows) if (row.name.includes(wanted)) row.hidden = hidden;
  placeRows();
  listRows();
};
