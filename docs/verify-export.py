#!/usr/bin/env python3
"""Verifies the chain of an export: verify-export.py [SLIP'S HASH...] <EXPORT

Ends with 0 where it is unbroken; else with 1, and says which line is wrong, and how."""
import base64, hashlib, json, sys

COLUMNS = ["sequence", "life", "monotonic_ns", "wall_ns", "vocabulary", "boot_id", "kind"]
def blake(data): return hashlib.blake2b(data, digest_size=32).digest()
def base(data): return base64.b64encode(data).decode()
def text(value): return value if isinstance(value, str) else json.dumps(value)

def verify(row):
    """Follows the chain through a line; answers with what is wrong, or with nothing."""
    global head, last
    before, what = last, "the end"
    if "format" in row:  # where the records go on from
        if head is not None: return "the chain begins once more: what was between is missing"
        if row["hash"] is None: return "the ledger had no chain when this was exported"
        head, last = base64.b64decode(row["hash"]), row["follows"]
    elif head is None:
        return "the first line is missing: it says where the chain begins"
    elif "kind" in row:  # a record
        fields = [f"TURNSTILE_{k.upper()}={text(v)}" for k, v in row.get("fields", {}).items()]
        columns = [str(row[name]) for name in COLUMNS] + [row.get("details", "\n".join(fields))]
        head, last = blake(head + "\n".join(columns).encode()), row["sequence"]
        what = f"record {last} ({row['kind']})"
        if last != before + 1:
            return f"{what} follows record {before}: what was between is missing"
    elif "note" in row:  # a checkpoint; one of records that are kept no longer has other hashes
        what = f"checkpoint {row['checkpoint']}"
        registers = base(blake(row["registers"].encode()))
        if f"\nregisters {registers}\n" not in row["note"]:
            return f"{what} has other registers than those that were signed"
        row["hash"] = row["note"].split("\n")[2] if row["sequence"] == last else base(head)
    if row["hash"] != base(head):
        return f"{what} does not fit record {before}: one of the two was altered, or is missing"
    seen.add(row["hash"])

def fail(what): sys.exit(f"line {number}: {what}")

head, last, seen, number, row = None, None, set(), 0, {}
for number, line in enumerate(sys.stdin.buffer, 1):
    try:
        row = json.loads(line)
        flaw = verify(row)
    except ValueError:
        fail("it cannot be read: it is damaged, or cut short")
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError) as error:
        fail(f"it is no line of an export: {type(error).__name__}: {error}")
    if flaw: fail(flaw)
if number == 0: fail("nothing to verify: the export goes to standard input")
if "end" not in row: fail("the end is missing: the export was cut short")
for slip in sys.argv[1:]:
    if slip not in seen: fail(f"the hash of a slip is not in it: {slip}")
print(f"{last}: the chain is unbroken")
