#!/usr/bin/env python3
"""Verifies the hash chain of a store's audit trail, independently of Latchkey's code.

h(n) = SHA-256(0x01, length of row(n), row(n), h(n-1)), h(0) = the store's id. A row has one of five formats:
row(n) = 0x01, sequence, time in milliseconds, then event, account, actor, request and reason, each text preceded by its
length; or 0x02, the same fields, then milliseconds since boot, boot id, acting account, user of the process, source and
version; or 0x03, the same fields for the actor "token:ID"; or 0x04, the same fields for the actor "client:ID"; or 0x05,
the same fields for the actor "account:ID", who is also the acting account. Numbers are 64 bits, big-endian; a missing
value is an empty text.

An audit_rotate record starts a segment; its reason, closed:COUNT:BYTES:HASH, contains h(n-1). If older segments were
dropped, the first record must be an audit_rotate.

Argument: the store. Prints "intact: N records", with " from M" if older ones were dropped (status 0), or "broken at N"
(status 1).
"""
import hashlib
import sqlite3
import struct
import sys

COLUMNS = "sequence, time, event, account_id, actor_uid, request_id, reason, hash"
SECOND = "version, since_boot, boot_id, acting_account_id, process_uid, source, app_version"
THIRD = "actor_token"
FOURTH = "actor_client"


def prefixed(data):
    return struct.pack(">q", len(data)) + data


def canonical(row):
    sequence, time, event, account, uid, request, reason, _, version = row[:9]
    token = row[15] if len(row) > 15 else None
    client = row[16] if len(row) > 16 else None
    actors = (("uid", uid), ("token", token), ("client", client))
    named = [f"{kind}:{value}" for kind, value in actors if value is not None]
    if (version == 3) != (token is not None) or (version == 4) != (client is not None) or len(named) > 1:
        return None
    if version == 5 and (named or row[12] is None):
        return None
    actor = named[0] if named else f"account:{row[12]}" if version == 5 else "owner"
    data = struct.pack(">Bqq", version, sequence, time)
    for text in (event, account or "", actor, request, reason):
        data += prefixed(text.encode())
    if version == 1:
        return data if all(field is None for field in row[9:]) else None
    if version not in (2, 3, 4, 5):
        return None
    since_boot, boot, acting, process, source, app = row[9:15]
    data += struct.pack(">q", since_boot)
    data += prefixed(boot.encode()) + prefixed((acting or "").encode())
    data += struct.pack(">q", process)
    return data + prefixed(source.encode()) + prefixed(app.encode())


def closed(row):
    """Returns the previous hash from a record that starts a segment."""
    parts = row[6].split(":")
    if row[2] != "audit_rotate" or len(parts) != 4 or parts[0] != "closed":
        return None
    return bytes.fromhex(parts[3])


def main(path):
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)
    last = store.execute("SELECT id FROM store").fetchone()[0]
    schema = store.execute("PRAGMA user_version").fetchone()[0]
    later = ([THIRD] if schema >= 10 else []) + ([FOURTH] if schema >= 15 else [])
    columns = ", ".join([COLUMNS, "1" if schema == 1 else SECOND] + later)
    rows = store.execute(f"SELECT {columns} FROM audit ORDER BY sequence")
    first = expected = 1
    for row in rows:
        if expected == first == 1 and row[0] > 1 and closed(row):
            first = expected = row[0]
            last = closed(row)
        data = canonical(row)
        is_sound = data is not None and row[0] == expected and (row[2] != "audit_rotate" or closed(row) == last)
        if is_sound:
            last = hashlib.sha256(b"\x01" + prefixed(data) + last).digest()
        if not is_sound or last != row[7]:
            print(f"broken at {expected}")
            return 1
        expected += 1
    print(f"intact: {expected - first} records" + (f" from {first}" if first > 1 else ""))
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: audit-chain.py STORE", file=sys.stderr)
        sys.exit(64)
    sys.exit(main(sys.argv[1]))
