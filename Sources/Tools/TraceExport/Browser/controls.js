// Pointer and wheel, on the chart, its ruler and the overview.
const fieldX = (event) => event.clientX - byId("plot").getBoundingClientRect().left;
const fieldY = (event) => event.clientY - byId("plot").getBoundingClientRect().top;

const wheelOn = (place) => {
  place.addEventListener("wheel", (event) => {
    if (event.altKey) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const [across, down] = [event.deltaX * unit, event.deltaY * unit];
    if (event.shiftKey || Math.abs(across) > Math.abs(down)) {
      move((across || down) / view.width);
    } else {
      zoom(Math.exp(Math.max(-1, Math.min(1, down / 300))), timeAt(fieldX(event)));
    }
  }, { passive: false });
};

// A drag: `begin` answers with what each move does, given how far it went from there.
const dragOn = (place, begin) => {
  place.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const startX = event.clientX;
    const drag = begin(event);
    let hasMoved = false;
    place.setPointerCapture(event.pointerId);
    const onMove = (later) => {
      const far = later.clientX - startX;
      if (Math.abs(far) > 3) hasMoved = true;
      if (hasMoved) drag.move?.(far, later);
    };
    const onEnd = (later) => {
      place.removeEventListener("pointermove", onMove);
      place.removeEventListener("pointerup", onEnd);
      place.removeEventListener("pointercancel", onEnd);
      if (later.type === "pointercancel") drag.cancel?.();
      else if (hasMoved) drag.end?.(later); else drag.click?.(later);
    };
    place.addEventListener("pointermove", onMove);
    place.addEventListener("pointerup", onEnd);
    place.addEventListener("pointercancel", onEnd);
  });
};

const say = (text) => { byId("voice").textContent = text; };
const setCursor = (name, t) => {
  cursors[name] = t;
  paintOverlay();
  if (t !== undefined) say(`Cursor ${name.toUpperCase()} at ${timeText(t, 6)}`);
};
const clickOnPlot = (event) => {
  const record = recordAt(fieldX(event), fieldY(event));
  if (record >= 0) return pick(record);
  setCursor(event.shiftKey ? "b" : "a", timeAt(fieldX(event)));
};

const tipAt = (x, y, t) => {
  const record = recordAt(x, y);
  if (record >= 0) {
    const cluster = shownClusters.find(({ first, next }) =>
      record >= first && record < next);
    const more = cluster.next - cluster.first - 1;
    return records.sentence(record) + (more > 0 ? ` (and ${more} more)` : "");
  }
  const row = rows.find(({ top, height }) => top >= 0 && y >= top && y < top + height);
  if (row?.kind === "passages") {
    const i = countUpTo(passages.times, t + (view.to - view.from) / view.width * 2) - 1;
    if (i < 0 || passages.ends[i] < t - (view.to - view.from) / view.width * 2) return "";
    const length = lengthText(passages.lengths[i]);
    return `${passages.direction(i)}, ${inWords(passages.outcome(i))}: ${length}`;
  }
  if (row?.kind === "input" || row?.kind === "output") {
    const times = row.track.times, i = countUpTo(times, t);
    if (i === 0 || i >= times.length) return "";
    const level = (row.words ?? ["inactive", "active"])[levelAt(row.track, t)];
    return `${row.name} ${level} for ${lengthText(times[i] - times[i - 1])}`;
  }
  if (row?.kind === "band") {
    const times = row.track.times, i = countUpTo(times, t) - 1;
    if (i < 0) return "";
    const until = times[i + 1] ?? end;
    return `${row.name}: ${row.value(t)} for ${lengthText(until - times[i])}`;
  }
  return "";
};
const hover = (event) => {
  const [x, y] = [fieldX(event), fieldY(event)];
  cursors.hover = timeAt(x);
  const text = tipAt(x, y, cursors.hover), tip = byId("tip");
  tip.hidden = text === "";
  tip.textContent = text;
  tip.style.left = `${Math.min(x + 14, Math.max(view.width - 260, 0))}px`;
  tip.style.top = `${y + 18}px`;
  byId("plot").style.cursor = recordAt(x, y) >= 0 ? "pointer" : "crosshair";
  paintOverlay();
};

const listenToPointer = () => {
  const plot = byId("plot"), ruler = byId("ruler"), overview = byId("overview");
  wheelOn(byId("field"));
  wheelOn(ruler);
  dragOn(plot, () => {
    const { from, to } = view, scroll = byId("scroll").scrollTop;
    let startY;
    return {
      move: (far, event) => {
        startY ??= event.clientY;
        const by = far / view.width * (to - from);
        show(from - by, to - by);
        byId("scroll").scrollTop = scroll + startY - event.clientY;
      },
      click: clickOnPlot,
    };
  });
  plot.addEventListener("pointermove", hover);
  plot.addEventListener("pointerleave", () => {
    cursors.hover = undefined;
    byId("tip").hidden = true;
    paintOverlay();
  });
  plot.addEventListener("dblclick", (event) => zoom(0.25, timeAt(fieldX(event))));
  // On the ruler a drag picks what is shown next.
  dragOn(ruler, (event) => {
    const first = fieldX(event);
    const done = () => { cursors.band = undefined; paintOverlay(); };
    return {
      move: (far) => { cursors.band = [first, first + far]; paintOverlay(); },
      end: (later) => {
        const times = [first, fieldX(later)].map(timeAt);
        done();
        show(Math.min(...times), Math.max(...times));
      },
      cancel: done,
    };
  });
  dragOn(overview, (event) => {
    const bounds = overview.getBoundingClientRect();
    const span = view.to - view.from;
    const timeOf = (x) => (x - bounds.left) / bounds.width * end;
    const at = timeOf(event.clientX);
    if (at < view.from || at > view.to) show(at - span / 2, at + span / 2);
    const { from } = view;
    return {
      move: (far) => {
        const start = from + far / bounds.width * end;
        show(start, start + span);
      },
    };
  });
  wheelOn(overview);
};
