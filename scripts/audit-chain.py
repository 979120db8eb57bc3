#!/usr/bin/env python3
"""Checks the chain of the audit trail of a store, by its description and not by Latchkey's code.

h(n) = SHA-256(0x01, length of row(n), row(n), h(n-1)), h(0) = the store's id; row(n) = 0x01, sequence, time in
milliseconds, and then event, account, actor, request and reason, each with its length before it. Numbers are 64 bits,
big-endian. Argument: the store. Prints "intact: N records" (status 0) or "broken at N" (status 1).
"""
import hashlib
import sqlite3
import struct
import sys


def prefixed(data):
    return struct.pack(">q", len(data)) + data


def main(path):
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)
    last = store.execute("SELECT id FROM store").fetchone()[0]
    expected = 1
    rows = store.execute(
        "SELECT sequence, time, event, account_id, actor_uid, request_id, reason, hash FROM audit ORDER BY sequence")
    for sequence, time, event, account, uid, request, reason, digest in rows:
        actor = "owner" if uid is None else f"uid:{uid}"
        row = b"\x01" + struct.pack(">qq", sequence, time)
        for text in (event, account or "", actor, request, reason):
            row += prefixed(text.encode())
        last = hashlib.sha256(b"\x01" + prefixed(row) + last).digest()
        if sequence != expected or last != digest:
            print(f"broken at {expected}")
            return 1
        expected += 1
    print(f"intact: {expected - 1} records")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: audit-chain.py STORE", file=sys.stderr)
        sys.exit(64)
    sys.exit(main(sys.argv[1]))
