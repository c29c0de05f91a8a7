#!/usr/bin/env python3
"""Verifies an export of a ledger: verify-export.py [KEY] [SLIP'S HASH...] <EXPORT

It compares each value with what the gate signed. Ends with 0 if they agree; else with 1, and says
which line is wrong, and how."""
import base64, hashlib, json, re, sys

NUMBER, TEXT, MAYBE = [int], [str], [str, type(None)]
COLUMNS = {"sequence": NUMBER, "life": NUMBER, "monotonic_ns": NUMBER, "wall_ns": NUMBER,
           "vocabulary": NUMBER, "boot_id": TEXT, "kind": TEXT}
LINES = {  # what a line of each kind has; its kind is the key that no other has
    "format": {"format": TEXT, "ledger": TEXT, "gate": TEXT, "key": MAYBE, "program": TEXT,
               "vocabulary": NUMBER, "follows": NUMBER, "hash": MAYBE, "branch": MAYBE},
    "kind": {**COLUMNS, "hash": TEXT},
    "note": {"checkpoint": NUMBER, "sequence": NUMBER, "for": TEXT, "registers": TEXT,
             "note": TEXT},
    "end": {"end": NUMBER, "hash": MAYBE, "last_checkpoint": NUMBER + MAYBE}}

def blake(data): return hashlib.blake2b(data, digest_size=32).digest()
def base(data): return base64.b64encode(data).decode()
def data_of(text): return base64.b64decode(text, validate=True)
def text(value): return value if isinstance(value, str) else json.dumps(value)

# Signatures: Ed25519, as in RFC 8032.
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P

def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P

def point(data):
    number = int.from_bytes(data, "little")
    y, sign = number % 2**255, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P: x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P: raise ValueError("no point of the curve")
    if x % 2 != sign: x = P - x
    return x, y, 1, x * y % P

BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))

def is_signed(message, signature, key):
    x, y, z, t = point(key)
    factor = int.from_bytes(signature[32:], "little")
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    other = int.from_bytes(digest, "little") % ORDER
    total, negative = (0, 1, 1, 0), (P - x, y, z, P - t)
    for bit in reversed(range(253)):
        total = add(total, total)
        if factor >> bit & 1: total = add(total, BASE)
        if other >> bit & 1: total = add(total, negative)
    x, y = (value * pow(total[2], P - 2, P) % P for value in total[:2])
    return factor < ORDER and (y | x % 2 << 255).to_bytes(32, "little") == signature[:32]

# Lines.

def unique(pairs):
    if len(dict(pairs)) < len(pairs): raise TypeError("a key is there twice")
    return dict(pairs)

def kind_of(row):
    """The line's kind; raises TypeError if a key is missing, unknown or of another type."""
    kind = next(key for key in LINES if key in row)
    types = dict(LINES[kind])
    if kind == "kind": types.update({"details": TEXT} if "details" in row else {"fields": [dict]})
    for key in sorted(types.keys() ^ row.keys()):
        raise TypeError(f"the key {key} is " + ("missing" if key in types else "unknown"))
    for key, allowed in types.items():
        if type(row[key]) not in allowed: raise TypeError(f"{key} is of another type")
    return kind

def details(row):
    """The text of a record that its hash covers."""
    lines = []
    for key, value in row.get("fields", {}).items():
        # No field may look like two, or two like one.
        if not re.fullmatch("[a-z0-9_]+", key) or type(value) not in [str, int, bool] \
                or "\n" in text(value): raise TypeError(f"{key} is no field")
        lines.append(f"TURNSTILE_{key.upper()}={text(value)}")
    return row.get("details", "\n".join(lines))

def verify(row):
    """Follows the chain through a line; answers with what is wrong, or with nothing."""
    global head, chain, last, accepted, end
    before, kind = last, kind_of(row)
    if end: return "the export goes on behind its end"
    if kind == "format":  # where the records go on from
        if head: return "the chain begins once more: what was between is missing"
        if row["format"] != "turnstiled-ledger-1": return f"the format {row['format']} is unknown"
        if row["ledger"].startswith("trial-"): return "it is the ledger of a trial, and of no gate"
        if row["hash"] is None: return "the ledger had no chain when this was exported"
        head, chain, last, what = row, data_of(row["hash"]), row["follows"], "the first line"
    elif head is None:
        return "the first line is missing: it says where the chain begins"
    elif kind == "note":
        return verify_checkpoint(row)
    elif kind == "kind":  # a record
        if "\n" in row["boot_id"] + row["kind"]: raise TypeError("a column has a line feed")
        columns = [str(row[key]) for key in COLUMNS] + [details(row)]
        chain, last = blake(chain + "\n".join(columns).encode()), row["sequence"]
        what = f"record {last} ({row['kind']})"
        if last != before + 1:
            return f"{what} follows record {before}: what was between is missing"
        if row["kind"] in ["ledger_accepted", "ledger_restored"]: accepted = last
    else:
        end, what = row, "the end"
        if row["end"] != last: return f"it ends with {row['end']}, but the last record is {last}"
    if row["hash"] != base(chain):
        return f"{what} does not fit record {before}: one of the two was altered, or is missing"
    seen.add(row["hash"])

def verify_checkpoint(row):
    """Compares a checkpoint with its signed note, and that with the chain."""
    what, lines = f"checkpoint {row['checkpoint']}", row["note"].split("\n")
    facts = dict(line.partition(" ")[::2] for line in reversed(lines))
    for key, signed in [("checkpoint", facts["number"]), ("sequence", lines[1]),
                        ("for", facts["for"])]:
        if str(row[key]) != signed: return f"{what}: {key} is {row[key]}, but {signed} was signed"
    if base(blake(row["registers"].encode())) != facts["registers"]:
        return f"{what} has other registers than those that were signed"
    if lines[0] != f"turnstiled/{head['ledger']}": return f"{what} is of another ledger"
    # Those before the first record may be of records that are kept no longer.
    is_earlier = last == head["follows"] and row["sequence"] < last
    if not is_earlier and row["sequence"] != last or notes and row["sequence"] < notes[-1]["last"]:
        return f"{what} is of record {row['sequence']}, and does not follow it"
    if not is_earlier and lines[2] != base(chain):
        return f"{what} does not fit record {last}: one of the two was altered, or is missing"
    seen.add(lines[2])
    notes.append({**facts, "line": number, "what": what, "note": row["note"], "last": int(lines[1]),
                  "number": row["checkpoint"], "page": int(facts["page"])})

def verify_checkpoints():
    """Compares the checkpoints with each other, with the first line, and with the key."""
    global number
    if end["last_checkpoint"] != (notes[-1]["number"] if notes else None):
        fail(f"it is not the last checkpoint: {end['last_checkpoint']}")
    if not notes: fail("it has no checkpoint: nothing of it is signed")
    follows, before = head["follows"], None
    # All of a ledger has them from number 1 on, a part has the last one before it.
    earlier = [note for note in notes if note["last"] <= follows]
    if len(earlier) > 1:
        before = {**earlier[0], "number": 0, "page": 0, "last": follows}
        if earlier[-1]["last"] < follows: fail(f"the checkpoint of record {follows} is missing")
    # Up to a later beginning some are missing: a damaged file was set aside.
    begun = max([note["number"] for note in notes if note["for"] == "begin"], default=0)
    for note in notes:
        number = note["line"]
        if before:
            page = before["page"] + (note["for"] not in ["interval", "stop"])
            # Those that are not kept for good go with their records.
            gap, may_be_gone = note["number"] - before["number"] - 1, before["last"] < follows
            is_next = note["page"] == page and (gap == 0 or gap > 0 and may_be_gone)
            if not is_next and not (note["number"] <= begun and note["page"] >= page):
                fail(f"checkpoints are missing before {note['what']}")
            if note["for"] not in ["begin", "key"] and place(note) != place(before):
                fail(f"{note['what']} is of another gate or branch than the one before")
        elif not earlier:
            fail(f"checkpoints are missing before {note['what']}")
        before = note
    key = head["key"]
    for note in reversed(notes):
        number = note["line"]
        if not is_signed_with(key, note["note"]):
            fail(f"{note['what']} is not signed with the key {key}")
        if note["for"] == "key": key = note["after"]
    number = 1
    if accepted <= before["last"] and place(head) != place(before):
        fail(f"it is of {place(head)}, but {place(before)} was signed")

def place(row): return [row["gate"], row.get("branch")]

def is_signed_with(key, note):
    name, identifier, data = key.split("+", 2)
    data, (message, _, line) = data_of(data), note.rpartition("\n\n")
    known, signature = hashlib.sha256(f"{name}\n".encode() + data).digest()[:4], line.split()[2]
    if identifier != known.hex() or data[:1] != b"\1": return False
    signature = data_of(signature)[4:]
    return line == f"— {name} {base(known + signature)}\n" \
        and is_signed(f"{message}\n".encode(), signature, data[1:])

def fail(what): sys.exit(f"line {number}: {what}")

head, chain, last, accepted, end, seen, notes, number = None, None, None, 0, None, set(), [], 0
try:
    for number, line in enumerate(sys.stdin.buffer, 1):
        flaw = verify(json.loads(line.decode(), object_pairs_hook=unique))
        if flaw: fail(flaw)
    if number == 0: fail("nothing to verify: the export goes to standard input")
    if end is None: fail("the end is missing: the export was cut short")
    verify_checkpoints()
except ValueError:
    fail("it cannot be read: it is damaged, or cut short")
except (AttributeError, IndexError, KeyError, RecursionError, StopIteration, TypeError) as error:
    fail(f"it is no line of an export: {type(error).__name__}: {error}")
for evidence in sys.argv[1:]:
    if evidence not in seen | {head["key"]}: fail(f"the key or hash is not in it: {evidence}")
print(f"{last}: the chain is unbroken")
print(f"signed up to record {notes[-1]['last']}, with the key {head['key']}")
