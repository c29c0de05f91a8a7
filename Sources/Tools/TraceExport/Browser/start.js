// Shows the page for the first time.
byId("gate").textContent = trace.gate || "Trace";
const begins = `${dayText(0)} ${timeText(0)}`;
const endDay = dayText(0) === dayText(end) ? "" : `${dayText(end)} `;
const ends = `${endDay}${timeText(end)}`;
byId("span").textContent =
  `${begins} – ${ends} ${offsetText(0)} · ${lengthText(end)} · ${trace.program}`;
const through = passages.kinds.filter((_, i) =>
  passages.outcome(i) !== "backed_out").length;
const troubles = records.kinds.filter((_, i) => records.priority(i) <= 4).length;
const changeCount = rows.reduce(
  (sum, row) => sum + (row.raw ?? row.track ?? { times: [] }).times.length, 0);
byId("sums").append(...[
  [through, "passages"], [records.count, "records"], [troubles, "warnings"],
  [changeCount, "changes"],
].map(([number, name]) => {
  const sum = element("span", "sum");
  sum.append(element("b", "", number.toLocaleString("en")), ` ${name}`);
  return sum;
}));
readInk();
makeLegend();
listenToPointer();
listenToKeys();
placeRows();
listRows();
themeChanged();
showList();
readLink();
// For the console, and tests.
Object.assign(window, { turnstileTrace: Object.freeze({
  get view() { return { from: view.from, to: view.to }; },
  get picked() { return picked; },
  get rows() { return rows.filter((row) => row.top >= 0).map((row) => row.name); },
  get marks() { return shownClusters.map(({ x, first, next }) => ({ x, first, next })); },
  get cursors() { return { a: cursors.a, b: cursors.b }; },
  paint: () => {
    const since = performance.now();
    paintAll();
    return performance.now() - since;
  },
  rowTop: (name) => rows.find((row) => row.name === name)?.top,
}) });
