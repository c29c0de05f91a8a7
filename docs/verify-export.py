#!/usr/bin/env python3
"""Verifies the chain of an export: verify-export.py [SLIP'S HASH...] <EXPORT"""
import base64, hashlib, json, sys

COLUMNS = ["sequence", "life", "monotonic_ns", "wall_ns", "vocabulary", "boot_id", "kind"]
def blake(data): return hashlib.blake2b(data, digest_size=32).digest()
def base(data): return base64.b64encode(data).decode()
def text(value): return value if isinstance(value, str) else json.dumps(value)

seen, row = set(), {}
for row in map(json.loads, sys.stdin):
    if "format" in row:  # where the records go on from
        head, last = base64.b64decode(row["hash"]), row["follows"]
    elif "kind" in row:  # a record
        fields = [f"TURNSTILE_{k.upper()}={text(v)}" for k, v in row.get("fields", {}).items()]
        columns = [str(row[name]) for name in COLUMNS] + [row.get("details", "\n".join(fields))]
        head, last = blake(head + "\n".join(columns).encode()), row["sequence"]
    elif "note" in row:  # a checkpoint; one of records that are kept no longer has other hashes
        registers = base(blake(row["registers"].encode()))
        assert f"\nregisters {registers}\n" in row["note"], f"the registers of {row['checkpoint']}"
        row["hash"] = row["note"].split("\n")[2] if row["sequence"] == last else base(head)
    assert row["hash"] == base(head), f"altered, or one before it: {row}"
    seen.add(row["hash"])
assert "end" in row, "the end is missing"
assert seen.issuperset(sys.argv[1:]), "the hash of a slip is not in it"
print(f"{last}: the chain is unbroken")
