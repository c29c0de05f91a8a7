// What the colours and shapes mean, and what a printed page leaves out.
const moodWords = {
  rest: "at rest", go: "released", move: "somebody passes", wait: "waiting",
  halt: "stopped, or out of order", service: "service",
};
const markWords = {
  info: "● information", notice: "● notice", warning: "▲ warning", error: "◆ error",
};
const outcomeWords = {
  go: "paid", move: "free", service: "service", halt: "emergency, or unauthorised",
  wait: "anything else",
};
const lineWords = {
  input: "input, as it counts", raw: "input, bouncing",
  output: "output: high is energised, or released", credit: "credit",
};
const makeLegend = () => {
  const sets = {
    Records: [markWords, "ink"], Passages: [outcomeWords, "patch"],
    States: [moodWords, "patch"], Lines: [lineWords, "stroke"],
  };
  for (const [title, [words, kind]] of Object.entries(sets)) {
    const list = element("ul");
    list.append(element("li", "title", title));
    for (const [name, text] of Object.entries(words)) {
      const item = element("li"), sample = element("span", kind);
      sample.style.color = `var(--${name})`;
      const [shape, ...rest] = kind === "ink" ? text.split(" ") : ["", text];
      sample.textContent = shape;
      item.append(sample, ` ${rest.join(" ")}`);
      list.append(item);
    }
    byId("legend").append(list);
  }
};

// What of the trace is not on paper, in words: an empty text where all of it is.
const leftOut = (listed) => {
  const parts = [];
  const [from, to] = [Math.max(view.from, 0), Math.min(view.to, end)];
  if (from > 0 || to < end) {
    parts.push(`the time from ${timeText(from)} to ${timeText(to)} alone`);
  }
  const filter = byId("filter").value.trim();
  if (filter) parts.push(`records with “${filter}” alone`);
  if (listed < records.count) {
    parts.push(`${listed} of ${records.count} records are listed`);
  }
  const closedRows = rows.filter((row) => closed.has(row.group) && row.changes);
  const hidden = rows.filter((row) => row.hidden || closedRows.includes(row));
  if (hidden.length > 0) {
    parts.push(`rows hidden: ${hidden.map((row) => row.name).join(", ")}`);
  }
  const still = rows.filter((row) => !row.changes && !hidden.includes(row));
  if (still.length > 0) {
    parts.push(`no change in: ${still.map((row) => row.name).join(", ")}`);
  }
  return parts.length > 0 ? `Shown: ${parts.join("; ")}.` : "";
};
