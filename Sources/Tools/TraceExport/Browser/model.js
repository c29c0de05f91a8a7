// What is drawn: the data, unpacked, as rows.
/** @type {(id: string) => any} */
const byId = (id) => document.getElementById(id);
const trace = JSON.parse(byId("trace").textContent) ?? {
  gate: "", program: "", end: 0, clocks: [[0, 0, 0]], inputs: [], outputs: [],
  regions: [], credit: { times: [], values: [] },
  passages: { names: [], times: [], lengths: [], kinds: [] },
  records: { kindNames: [], sentenceTexts: [], fieldObjects: [], times: [], kinds: [],
    sentences: [], fields: [] },
};

// Each number is told as what it is more than the one before.
const unpacked = (deltas) => {
  const all = new Float64Array(deltas.length);
  let sum = 0;
  for (let i = 0; i < deltas.length; i++) all[i] = sum += deltas[i];
  return all;
};

// How many of the sorted numbers are below a limit, or at it as well.
const countBelow = (numbers, limit, from = 0) => {
  let low = from, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < limit) low = middle + 1; else high = middle;
  }
  return low;
};
const countUpTo = (numbers, limit) => {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= limit) low = middle + 1; else high = middle;
  }
  return low;
};

const levels = (track) => ({ first: track.first, times: unpacked(track.times) });
const levelAt = (track, t) => track.first ^ (countUpTo(track.times, t) & 1);

const records = {
  ...trace.records, times: unpacked(trace.records.times),
  count: trace.records.times.length,
  name: (i) => records.kindNames[records.kinds[i]][0],
  priority: (i) => records.kindNames[records.kinds[i]][1],
  sentence: (i) => records.sentenceTexts[records.sentences[i]],
  field: (i) => records.fieldObjects[records.fields[i]],
};
const passages = {
  ...trace.passages, times: unpacked(trace.passages.times),
  direction: (i) => passages.names[passages.kinds[i]][0],
  outcome: (i) => passages.names[passages.kinds[i]][1],
};
passages.ends = passages.times.map((t, i) => t + passages.lengths[i]);
const credit = {
  times: unpacked(trace.credit.times), values: unpacked(trace.credit.values),
};
credit.most = credit.values.reduce((most, value) => Math.max(most, value), 0);

const end = Math.max(trace.end, 1000);
const inWords = (name) => name.replaceAll("_", " ");

// The rows, from top to bottom. A row has a `value` at each time, in a word.
const rows = [];
const addRow = (group, name, kind, height, more) => {
  rows.push({ id: `${group}/${name}`, group, name, kind, height, hidden: false, ...more });
};
addRow("gate", "records", "records", 44, {
  changes: records.count > 0,
  value: () => "",
});
addRow("gate", "passages", "passages", 30, {
  changes: passages.times.length > 0,
  value: (t) => {
    const i = countUpTo(passages.times, t) - 1;
    return i >= 0 && passages.ends[i] >= t ? passages.direction(i) : "";
  },
});
addRow("gate", "credit", "credit", 56, {
  changes: credit.times.length > 1,
  value: (t) => {
    const i = countUpTo(credit.times, t) - 1;
    return i < 0 ? "" : `${credit.values[i]}`;
  },
});
for (const region of trace.regions) {
  const track = { ...region.track, times: unpacked(region.track.times) };
  addRow(region.name === "status" ? "gate" : "regions", region.name, "band", 26, {
    track, changes: track.times.length > 1,
    value: (t) => {
      const i = Math.max(countUpTo(track.times, t) - 1, 0);
      return inWords(track.names[track.states[i]]);
    },
  });
}
for (const input of trace.inputs) {
  const track = levels(input.debounced), raw = levels(input.raw);
  addRow("inputs", input.name, "input", 38, {
    track, raw, changes: track.times.length + raw.times.length > 0,
    value: (t) => {
      const [counts, carries] = [levelAt(track, t), levelAt(raw, t)];
      return counts === carries ? `${counts}` : `${counts} (${carries})`;
    },
  });
}
for (const output of trace.outputs) {
  for (const { group, suffix, words } of [
    { group: "energised", suffix: "", words: ["de-energised", "energised"] },
    { group: "released", suffix: "_released", words: ["closed", "released"] },
  ]) {
    if (!output[group]) continue;
    const track = levels(output[group]);
    addRow(group, output.name + suffix, "output", 28, {
      track, words, changes: track.times.length > 0,
      value: (t) => `${levelAt(track, t)}`,
    });
  }
}
const groups = [
  { name: "gate", title: "Gate" }, { name: "regions", title: "States" },
  { name: "inputs", title: "Inputs (thin: bouncing)" },
  { name: "energised", title: "Outputs: energised" },
  { name: "released", title: "Ways: released" },
];
