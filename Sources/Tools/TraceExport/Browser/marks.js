// Draws what lies over the lines: the records' marks, the cursors and the overview.
const severity = (priority) =>
  priority <= 2 ? "critical" : priority === 3 ? "error" : priority === 4 ? "warning"
    : priority === 5 ? "notice" : "info";
const severities = ["info", "notice", "warning", "error", "critical"];

// Which records the filter leaves.
let isFound = new Uint8Array(records.count).fill(1);
let picked = -1;

const markShapes = {
  info: (path, x, y) => path.arc(x, y, 3.5, 0, 7),
  notice: (path, x, y) => path.arc(x, y, 4.5, 0, 7),
  warning: (path, x, y) => {
    path.moveTo(x, y - 6); path.lineTo(x + 6, y + 5); path.lineTo(x - 6, y + 5);
  },
  error: (path, x, y) => {
    path.moveTo(x, y - 6); path.lineTo(x + 6, y); path.lineTo(x, y + 6);
    path.lineTo(x - 6, y);
  },
};
markShapes.critical = markShapes.error;

// Records that are too near to one another to be told apart are one mark: the gravest of
// them, with their number.
const clusters = () => {
  const list = [], { times, count } = records;
  let i = countBelow(times, view.from);
  while (i < count && times[i] <= view.to) {
    const x = xAt(times[i]);
    const next = countBelow(times, timeAt(x + 12), i + 1);
    const cluster = { x, first: i, next, worst: 0, found: 0 };
    const step = Math.max(1, Math.floor((next - i) / 200));
    for (let j = i; j < next; j += step) {
      if (!isFound[j]) continue;
      cluster.found += step;
      const rank = severities.indexOf(severity(records.priority(j)));
      if (rank > cluster.worst) cluster.worst = rank;
    }
    cluster.x = (x + xAt(times[next - 1])) / 2;
    list.push(cluster);
    i = next;
  }
  return list;
};
let shownClusters = [];
const paintRecords = (context, row) => {
  shownClusters = clusters();
  context.font = small;
  context.textAlign = "center";
  const y = row.top + 15;
  const most = shownClusters.reduce((most, { first, next }) =>
    Math.max(most, next - first), 1);
  // Where numbers would stand on one another, a bar says how many there are.
  const isDense = shownClusters.length > 20 && shownClusters.length * 24 > view.width;
  for (const cluster of shownClusters) {
    const kind = severities[cluster.worst];
    context.globalAlpha = cluster.found > 0 ? 1 : 0.2;
    context.fillStyle = context.strokeStyle = ink[kind];
    if (!isDense) context.fillRect(cluster.x - 0.5, y, 1, row.height - 18);
    context.beginPath();
    markShapes[kind](context, cluster.x, y);
    context.fill();
    const number = cluster.next - cluster.first;
    if (isDense) {
      const height = Math.max(number / most * 16, 1);
      context.fillRect(cluster.x - 3, row.top + row.height - 3 - height, 6, height);
    } else if (number > 1) {
      const text = number > 999 ? `${Math.floor(number / 1e3)}k` : `${number}`;
      // At the edge as well all of its digits are there.
      const x = Math.min(Math.max(cluster.x, 11), view.width - 11);
      context.fillStyle = ink.paper;
      context.fillRect(x - 10, row.top + 26, 20, 12);
      context.fillStyle = ink.faint;
      context.fillText(text, x, row.top + 36);
    }
  }
  context.globalAlpha = 1;
  context.textAlign = "start";
};
// The mark at a place: the index of the record there that is nearest, among those found.
const recordAt = (x, y) => {
  const row = rows[0];
  if (row.top < 0 || y < row.top || y >= row.top + row.height) return -1;
  let best = -1, nearest = 9;
  for (const cluster of shownClusters) {
    const far = Math.abs(cluster.x - x);
    if (far >= nearest) continue;
    let index = cluster.first;
    while (index < cluster.next && !isFound[index]) index++;
    [best, nearest] = [index < cluster.next ? index : cluster.first, far];
  }
  return best;
};

const cursors = { hover: undefined, a: undefined, b: undefined, band: undefined };
const paintOverlay = () => {
  const context = byId("overlay").getContext("2d");
  context.clearRect(0, 0, view.width, view.height);
  paintCursors(context);
  showReadouts();
};
const paintCursors = (context) => {
  const upright = (t, colour, dashes, text) => {
    if (t === undefined || t < view.from || t > view.to) return;
    const x = Math.round(xAt(t)) + 0.5;
    context.strokeStyle = context.fillStyle = colour;
    context.setLineDash(dashes);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, view.height);
    context.stroke();
    if (!text) return;
    context.fillRect(x, 2, 16, 16);
    context.fillStyle = ink.paper;
    context.font = small;
    context.fillText(text, x + 5, 14);
  };
  context.lineWidth = 1;
  const { a, b, hover, band } = cursors;
  if (a !== undefined && b !== undefined) {
    context.fillStyle = ink.brush;
    context.fillRect(xAt(Math.min(a, b)), 0, Math.abs(xAt(a) - xAt(b)), view.height);
  }
  if (band) {
    context.fillStyle = ink.brush;
    context.fillRect(Math.min(...band), 0, Math.abs(band[0] - band[1]), view.height);
  }
  if (picked >= 0) upright(records.times[picked], ink.accent, [2, 3], "");
  upright(a, ink["cursor-a"], [], "A");
  upright(b, ink["cursor-b"], [], "B");
  upright(hover, ink.text, [4, 3], "");
  context.setLineDash([]);
};
// What every row shows at the pointer, else at cursor A.
const showReadouts = () => {
  const t = cursors.hover ?? cursors.a;
  for (const row of rows) {
    if (row.top < 0 || !row.readout) continue;
    row.readout.textContent = t === undefined ? "" : row.value(t);
  }
  const { a, b, hover } = cursors;
  const parts = [];
  if (hover !== undefined) parts.push(`at ${timeText(hover, 6)}`);
  if (a !== undefined) parts.push(`A ${timeText(a, 6)}`);
  if (b !== undefined) parts.push(`B ${timeText(b, 6)}`);
  const other = b ?? hover;
  if (a !== undefined && other !== undefined) parts.push(`Δ ${lengthText(other - a)}`);
  byId("cursors").textContent = parts.join("   ");
};

// The whole time in a strip: how much happened, what went wrong, and what is shown.
let bars;
const countBars = (width) => {
  const counts = new Float64Array(width);
  const count = (times) => {
    for (const t of times) counts[Math.min(width - 1, Math.floor(t / end * width))]++;
  };
  for (const row of rows) if (row.raw ?? row.track) count((row.raw ?? row.track).times);
  const worst = new Uint8Array(width);
  for (let i = 0; i < records.count; i++) {
    const x = Math.min(width - 1, Math.floor(records.times[i] / end * width));
    worst[x] = Math.max(worst[x], severities.indexOf(severity(records.priority(i))));
  }
  return { width, counts, worst, most: counts.reduce((a, b) => Math.max(a, b), 1) };
};
const paintOverview = () => {
  const canvas = byId("overview"), context = canvas.getContext("2d");
  const width = Math.max(Math.floor(parseFloat(canvas.style.width)), 1);
  if (bars?.width !== width) bars = countBars(width);
  context.clearRect(0, 0, width, 44);
  context.fillStyle = ink.raw;
  for (let x = 0; x < width; x++) {
    const height = Math.sqrt(bars.counts[x] / bars.most) * 30;
    if (height > 0) context.fillRect(x, 42 - height, 1, Math.max(height, 1));
  }
  for (let x = 0; x < width; x++) {
    if (bars.worst[x] < 2) continue;
    context.fillStyle = ink[severities[bars.worst[x]]];
    context.fillRect(x - 1, 2, 3, 8);
  }
  const left = Math.max(view.from / end * width, 0);
  const right = Math.min(view.to / end * width, width);
  context.fillStyle = ink.brush;
  context.fillRect(left, 0, Math.max(right - left, 2), 44);
  context.strokeStyle = ink.accent;
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, 0.5, Math.max(right - left - 1, 2), 43);
  const part = Math.round((view.from + view.to) / 2 / end * 100);
  canvas.setAttribute("aria-valuenow", `${Math.min(Math.max(part, 0), 100)}`);
  canvas.setAttribute("aria-valuetext", `${timeText(view.from)} to ${timeText(view.to)}`);
};
