#!/usr/bin/env python3
"""dump.py DUMP LINES

Holds the value change dump of a recording against its lines of JSON: pyvcd reads it, which knows
the format and nothing of this project. Fails where they do not say the same."""

import json
import re
import sys

from vcd.reader import TokenKind, tokenize


def read_dump(path):
    """The values at the end of each µs, by the full names of what has them."""
    names, scopes, values, states, unit = {}, [], {}, [], None
    time = 0
    with open(path, "rb") as file:
        for token in tokenize(file):
            if token.kind is TokenKind.SCOPE:
                scopes.append(token.scope.ident)
            elif token.kind is TokenKind.UPSCOPE:
                scopes.pop()
            elif token.kind is TokenKind.TIMESCALE:
                unit = f"{int(token.timescale.magnitude)} {token.timescale.unit.value}"
            elif token.kind is TokenKind.VAR:
                names[token.var.id_code] = ".".join(scopes + [token.var.reference])
            elif token.kind is TokenKind.CHANGE_TIME:
                assert token.time_change >= time, f"{time} comes before {token.time_change}"
                states.append((time, dict(values)))
                time = token.time_change
            elif token.kind in (TokenKind.CHANGE_SCALAR, TokenKind.CHANGE_REAL,
                                TokenKind.CHANGE_STRING):
                change = token.data
                values[names[change.id_code]] = change.value
    states.append((time, dict(values)))
    assert not scopes and unit == "1 us", (scopes, unit)
    return states


def plain(text):
    """A text as it was before it was escaped."""
    data = re.sub(rb"\\(x..|\\)", lambda match: b"\\" if match[1] == b"\\" else
                  bytes([int(match[1][1:], 16)]), text.encode())
    return data.decode()


def main():
    states = read_dump(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    start, place, compared = lines[0]["monotonic_ns"], 0, 0
    for line, following in zip(lines, lines[1:] + [None]):
        time = (line["monotonic_ns"] - start) // 1000
        if following and (following["monotonic_ns"] - start) // 1000 == time:
            continue
        while place + 1 < len(states) and states[place + 1][0] <= time:
            place += 1
        values = states[place][1]
        active = {name.removeprefix("inputs.raw.").removesuffix("_raw")
                  for name, value in values.items()
                  if name.startswith("inputs.raw.") and value == "1"}
        assert active == set(line["active"]), (time, active, line["active"])
        for kind, suffix in [("energised", ""), ("released", "_released")]:
            scope = f"outputs.{kind}."
            told = {name.removeprefix(scope).removesuffix(suffix)
                    for name, value in values.items() if name.startswith(scope) and value == "1"}
            assert told == set(line[kind]), (time, kind, told, line[kind])
        status = line["status"]
        assert values["regions.status"] == status["state"]["name"], (time, values, status)
        assert values["money.credit"] == status["credit"], (time, status)
        if line["records"]:
            assert plain(values["records.sentence"]).endswith(line["records"][-1]["sentence"])
        compared += 1
    assert compared > 150, compared
    print(f"{compared} moments of {len(lines)} steps are the same in both")


if __name__ == "__main__":
    main()
