// Times in the gate's own time, and lengths of time, in words.
const clocks = trace.clocks.map(([time, utc, offset]) => ({ time, utc, offset }));
const clockAt = (t) => {
  let clock = clocks[0];
  for (const other of clocks) if (other.time <= t) clock = other;
  return clock;
};
// What the clock at the gate showed, in µs since 1970.
const localAt = (t) => {
  const clock = clockAt(t);
  return clock.utc + (t - clock.time) + clock.offset * 1e6;
};
const digits = (number, count) => `${number}`.padStart(count, "0");

// A time of day with so many digits after the second; from local µs since 1970.
const clockText = (local, places) => {
  const ofDay = ((Math.floor(local) % 864e8) + 864e8) % 864e8;
  const second = Math.floor(ofDay / 1e6);
  const text = [second / 3600, second / 60 % 60, second % 60]
    .map((part) => digits(Math.floor(part), 2)).join(":");
  if (places === 0) return text;
  return `${text}.${digits(Math.floor(ofDay % 1e6), 6).slice(0, places)}`;
};
const timeText = (t, places = 3) => clockText(localAt(t), places);
const dayText = (t) => new Date(Math.floor(localAt(t) / 1e3)).toISOString().slice(0, 10);
const offsetText = (t) => {
  const minutes = Math.round(clockAt(t).offset / 60), far = Math.abs(minutes);
  if (far === 0) return "UTC";
  const hours = digits(Math.floor(far / 60), 2);
  return `UTC${minutes < 0 ? "−" : "+"}${hours}:${digits(far % 60, 2)}`;
};
const utcText = (t) => {
  const clock = clockAt(t), utc = clock.utc + (t - clock.time);
  const day = new Date(Math.floor(utc / 1e3)).toISOString().slice(0, 10);
  return `${day}T${clockText(utc, 6)}Z`;
};

// A length of time with its unit: 350.2 ms.
const lengthText = (length) => {
  const far = Math.abs(length), sign = length < 0 ? "−" : "";
  const short = (number) => {
    const places = number < 10 ? 3 : number < 100 ? 2 : number < 1000 ? 1 : 0;
    return `${+number.toFixed(places)}`;
  };
  if (far < 1e3) return `${sign}${short(far)} µs`;
  if (far < 1e6) return `${sign}${short(far / 1e3)} ms`;
  if (far < 60e6) return `${sign}${short(far / 1e6)} s`;
  const seconds = Math.round(far / 1e6);
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${minute} min ${digits(seconds % 60, 2)} s`;
  return `${sign}${hour > 0 ? `${hour} h ` : ""}${rest}`;
};

// A typed time: seconds since the beginning, a time of day, or a day and a time of day.
// Undefined if it is invalid.
const parsedTime = (text) => {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text) * 1e6;
  const form = /^(?:(\d{4}-\d\d-\d\d)T)?(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?$/;
  const match = form.exec(text);
  if (!match) return undefined;
  const [, day, hour, minute, second = "0"] = match;
  const ofDay = (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1e6;
  for (const [place, clock] of clocks.entries()) {
    const until = clocks[place + 1]?.time ?? end;
    const local = localAt(clock.time);
    const days = day === undefined
      ? [0, 1].map((more) => (Math.floor(local / 864e8) + more) * 864e8)
      : [Date.parse(`${day}T00:00:00Z`) * 1e3];
    for (const start of days) {
      const t = clock.time + (start + ofDay - local);
      if (t >= clock.time && t <= until) return t;
    }
  }
  return undefined;
};

// The steps of a ruler, in µs, and how many digits after the second they need.
const rulerSteps = [];
for (const [power, places] of [[1, 6], [10, 6], [100, 6], [1e3, 3], [1e4, 3], [1e5, 3]]) {
  for (const factor of [1, 2, 5]) {
    const isFine = power === 1e5 && factor > 1;
    rulerSteps.push({ step: power * factor, places: isFine ? 1 : places });
  }
}
for (const seconds of [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
  10800, 21600, 43200, 86400, 172800, 604800]) {
  rulerSteps.push({ step: seconds * 1e6, places: 0 });
}
// The lines of a ruler between two times, on whole steps of the clock at the gate.
const rulerLines = (from, to, least) => {
  const { step, places } = rulerSteps.find(({ step }) => step >= least)
    ?? rulerSteps.at(-1);
  const lines = [];
  for (const [place, clock] of clocks.entries()) {
    const begin = Math.max(from, place === 0 ? -Infinity : clock.time);
    const until = Math.min(to, clocks[place + 1]?.time ?? Infinity);
    if (begin >= until) continue;
    const ahead = clock.utc - clock.time + clock.offset * 1e6;
    let local = Math.ceil((begin + ahead) / step) * step;
    for (; local - ahead < until; local += step) {
      lines.push({ time: local - ahead, text: clockText(local, places) });
    }
  }
  return { lines, step };
};
