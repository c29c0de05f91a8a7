// Draws lines, bands and the ruler. What is narrower than a pixel is drawn as one.
// The colours, which the style has; by the name of a property.
const ink = {};
const readInk = () => {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["paper", "grid", "text", "faint", "raw", "input", "output", "credit",
    "accent", "rest", "go", "move", "wait", "halt", "service", "on-band", "info", "notice",
    "warning", "error", "critical", "cursor-a", "cursor-b", "brush"]) {
    ink[name] = style.getPropertyValue(`--${name}`).trim();
  }
};
const small = "11px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
const plain = "12px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

// What a state means to people, in a colour.
const moods = {
  rest: ["locked", "none", "in_order", "stored", "off", "absent"],
  go: ["released", "free", "opposed"],
  move: ["passing", "recovering"],
  wait: ["suspended", "awaiting_reset", "awaiting_clear_lane", "key_turned", "noticed",
    "away_noticed", "stuck_noticed", "storing", "awaited", "starting"],
  halt: ["emergency", "loop_open", "stopped", "out_of_service", "reported", "away",
    "stuck"],
  service: ["service", "testing", "on", "leaving", "awaiting_idle"],
};
const moodOf = {};
for (const [mood, names] of Object.entries(moods)) {
  for (const name of names) moodOf[name] = mood;
}
const loudness = Object.keys(moods);
const mood = (name) => moodOf[name] ?? "wait";

const paintLevel = (context, track, top, height, colour, isFilled) => {
  const { times, first } = track, bottom = top + height;
  let i = countUpTo(times, view.from), level = first ^ (i & 1);
  let since = 0;
  context.strokeStyle = context.fillStyle = colour;
  const fill = (to) => {
    if (!isFilled || level === 0) return;
    context.globalAlpha = 0.16;
    context.fillRect(since, top, to - since, height);
    context.globalAlpha = 1;
  };
  const path = new Path2D(), blocks = new Path2D();
  path.moveTo(0, level ? top : bottom);
  while (i < times.length && times[i] <= view.to) {
    const x = xAt(times[i]), pixel = Math.floor(x), until = timeAt(pixel + 1);
    let next = i + 1;
    if (next < times.length && times[next] < until) next = countBelow(times, until, next);
    fill(x);
    path.lineTo(x, level ? top : bottom);
    level = first ^ (next & 1);
    since = x;
    if (next - i > 1) {
      blocks.rect(pixel, top, 1, height);
      path.moveTo(pixel + 1, level ? top : bottom);
    } else {
      path.lineTo(x, level ? top : bottom);
    }
    i = next;
  }
  fill(view.width);
  path.lineTo(view.width, level ? top : bottom);
  context.stroke(path);
  context.globalAlpha = 0.7;
  context.fill(blocks);
  context.globalAlpha = 1;
};

const words = (context, text, x, y, most) => {
  if (context.measureText(text).width <= most) context.fillText(text, x, y);
};
const paintBand = (context, track, top, height) => {
  const { times, states, names } = track;
  context.font = plain;
  let i = Math.max(countUpTo(times, view.from) - 1, 0);
  while (i < times.length && times[i] <= view.to) {
    let x = Math.max(xAt(times[i]), 0), next = i + 1, kind = mood(names[states[i]]);
    let right = next < times.length ? Math.min(xAt(times[next]), view.width) : view.width;
    if (right - x < 1 && next < times.length) {
      // Several in a pixel: the loudest of them.
      const pixel = Math.floor(x);
      next = Math.max(countBelow(times, timeAt(pixel + 1), next), next);
      for (let j = i; j < Math.min(next, i + 60); j++) {
        const other = mood(names[states[j]]);
        if (loudness.indexOf(other) > loudness.indexOf(kind)) kind = other;
      }
      [x, right] = [pixel, pixel + 1];
      context.fillStyle = ink[kind];
      context.fillRect(x, top, 1, height);
      // The last one may go on beyond the pixel.
      const last = next - 1;
      if (last > i && (next >= times.length || xAt(times[next]) > pixel + 1.5)) {
        i = last;
        paintState(context, names[states[i]], pixel + 1,
          next < times.length ? Math.min(xAt(times[next]), view.width) : view.width,
          top, height);
      }
    } else {
      paintState(context, names[states[i]], x, right, top, height);
    }
    i = next;
  }
};
const paintState = (context, name, x, right, top, height) => {
  const kind = mood(name);
  context.fillStyle = ink[kind];
  context.fillRect(x, top, Math.max(right - x - (right - x > 3 ? 1 : 0), 0.5), height);
  context.fillStyle = kind === "rest" ? ink.faint : ink["on-band"];
  words(context, inWords(name), x + 6, top + height / 2 + 4, right - x - 10);
};

const paintCredit = (context, row) => {
  const { times, values, most } = credit;
  const top = row.top + 14, bottom = row.top + row.height - 6;
  const y = (value) => bottom - (most > 0 ? value / most : 0) * (bottom - top);
  let i = Math.max(countUpTo(times, view.from) - 1, 0);
  if (i >= times.length) return;
  const line = new Path2D(), area = new Path2D();
  context.strokeStyle = context.fillStyle = ink.credit;
  context.font = small;
  let x = Math.max(xAt(times[i]), 0);
  line.moveTo(x, y(values[i]));
  area.moveTo(x, bottom);
  while (i < times.length && times[i] <= view.to) {
    const pixel = Math.floor(x);
    let next = countBelow(times, timeAt(pixel + 1), i + 1);
    let [low, high] = [values[i], values[i]];
    for (let j = i; j < next; j++) {
      [low, high] = [Math.min(low, values[j]), Math.max(high, values[j])];
    }
    if (next - i > 1) { line.lineTo(x, y(low)); line.lineTo(x, y(high)); }
    const value = values[next - 1];
    const right = next < times.length ? Math.min(xAt(times[next]), view.width) : view.width;
    for (const path of [line, area]) {
      path.lineTo(x, y(value));
      path.lineTo(right, y(value));
    }
    if (value > 0) words(context, `${value}`, x + 4, y(value) - 4, right - x - 6);
    x = right;
    i = next;
  }
  area.lineTo(x, bottom);
  context.stroke(line);
  context.globalAlpha = 0.14;
  context.fill(area);
  context.globalAlpha = 1;
};

const outcomeInk = (outcome) => ({
  paid: "go", free: "move", service: "service", emergency: "halt", unauthorised: "halt",
})[outcome] ?? "wait";
const paintPassages = (context, row) => {
  const { times, ends } = passages, top = row.top + 5, height = row.height - 10;
  context.font = plain;
  let i = countBelow(ends, view.from);
  while (i < times.length && times[i] <= view.to) {
    const x = Math.max(xAt(times[i]), -8);
    const right = Math.max(Math.min(xAt(ends[i]), view.width + 8), x + 2);
    context.fillStyle = ink[outcomeInk(passages.outcome(i))];
    context.beginPath();
    context.roundRect(x, top, right - x, height, Math.min(4, (right - x) / 3));
    context.fill();
    context.fillStyle = ink["on-band"];
    const arrow = passages.direction(i) === "entry" ? "→" : "←";
    const text = `${arrow} ${inWords(passages.outcome(i))}`;
    if (right - x > 60) words(context, text, x + 8, top + height / 2 + 4, right - x - 12);
    else if (right - x > 18) words(context, arrow, x + 4, top + height / 2 + 4, 16);
    i = Math.max(countBelow(times, timeAt(right), i + 1), i + 1);
  }
};

const paintRuler = (lines, step) => {
  const context = byId("ruler").getContext("2d");
  context.clearRect(0, 0, view.width, 30);
  context.font = small;
  context.fillStyle = ink.text;
  context.strokeStyle = ink.faint;
  context.lineWidth = 1;
  context.beginPath();
  for (const { time, text } of lines) {
    const x = Math.round(xAt(time)) + 0.5;
    context.moveTo(x, 20);
    context.lineTo(x, 30);
    words(context, text, x + 4, 16, view.width - x - 6);
  }
  // Four small steps within each.
  const fine = step / 5, first = lines[0]?.time ?? 0;
  const before = Math.ceil((first - view.from) / fine);
  for (let i = -before; first + i * fine < view.to; i++) {
    const x = Math.round(xAt(first + i * fine)) + 0.5;
    context.moveTo(x, 26);
    context.lineTo(x, 30);
  }
  context.stroke();
  byId("moment").textContent = dayText(Math.max(view.from, 0));
};

const paintRow = (context, row) => {
  const top = row.top;
  if (row.kind === "records") paintRecords(context, row);
  else if (row.kind === "passages") paintPassages(context, row);
  else if (row.kind === "credit") paintCredit(context, row);
  else if (row.kind === "band") paintBand(context, row.track, top + 4, row.height - 8);
  else if (row.kind === "input") {
    context.lineWidth = 1;
    paintLevel(context, row.raw, top + row.height - 11, 7, ink.raw, false);
    context.lineWidth = 1.5;
    paintLevel(context, row.track, top + 6, row.height - 22, ink.input, true);
  } else {
    context.lineWidth = 1.5;
    paintLevel(context, row.track, top + 7, row.height - 14, ink.output, true);
  }
};
const paintAll = () => {
  const context = byId("plot").getContext("2d");
  context.clearRect(0, 0, view.width, view.height);
  const least = (view.to - view.from) / view.width * 110;
  const { lines, step } = rulerLines(view.from, view.to, least);
  context.fillStyle = ink.grid;
  for (const { time } of lines) context.fillRect(Math.round(xAt(time)), 0, 1, view.height);
  for (const group of groups) {
    if (group.top < 0) continue;
    context.fillRect(0, group.top, view.width, headHeight);
  }
  const shown = rows.filter((row) => row.top >= 0);
  for (const { top, height } of shown) {
    context.fillStyle = ink.grid;
    context.fillRect(0, top + height - 1, view.width, 1);
  }
  // Nothing is known of what was before and after.
  context.save();
  context.beginPath();
  context.rect(xAt(0) - 8, 0, xAt(end) - xAt(0) + 16, view.height);
  context.clip();
  for (const row of shown) if (row.kind === "records") paintRow(context, row);
  context.beginPath();
  context.rect(xAt(0), 0, xAt(end) - xAt(0), view.height);
  context.clip();
  for (const row of shown) if (row.kind !== "records") paintRow(context, row);
  context.restore();
  paintRuler(lines, step);
  paintOverview();
  paintOverlay();
  const span = lengthText(view.to - view.from);
  byId("range").textContent =
    `${timeText(view.from)} – ${timeText(view.to)} ${offsetText(view.from)} · ${span}`;
};
