"""Tries what someone without the store's key, who may write to the database, can make of the audit trail unnoticed.

Connections write their records to lanes, chained by MACs. The sealer moves them into one chain, and stores a seal: a MAC over the
end of the chain and over the sealed end of each lane. The thief has a copy of every row that ever existed, and puts any set of them
together. Rows that never existed need the key.

For each of some histories, the model counts the sets of rows that `audit verify` accepts although records are missing: without an
anchor, with one from the last seal, and while the services still run, which know the ends of their lanes. It fails if an accepted
trail has an invented or doubled record, lacks a sealed one despite the anchor, has a gap inside a lane, or deceives a running
service.
"""

import hashlib
import hmac
import itertools
from typing import NamedTuple

LANES = (0, 1)
# a and b: a record in this lane. S: the sealer runs.
HISTORIES = ["abSabSab", "aaSbSab", "abSba", "aSbbSa", "abaSbS", "SabSb", "abSabSaSb"]


def mac(*parts):
    return hmac.new(b"key of the store", repr(parts).encode(), hashlib.sha256).hexdigest()[:16]


def hashed(*parts):
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


class End(NamedTuple):
    """The end of a lane."""
    number: int
    head: str


class Seal(NamedTuple):
    sequence: int
    hash: str
    ends: tuple
    mac: str


class Rows(NamedTuple):
    ends: dict
    pending: dict
    audit: dict
    seal: Seal | None

    def records(self):
        return sorted([row[0] for row, _ in self.audit.values()] + [text for text, _ in self.pending.values()])


def first_end(lane):
    return End(0, f"start of {lane}")


def written(history):
    """The rows at the end of a history, and all rows that ever existed."""
    ends, pending, audit, seal = {lane: first_end(lane) for lane in LANES}, {}, {}, None
    seen = ({lane: {end} for lane, end in ends.items()}, {}, {}, {None})
    for number, event in enumerate(history, 1):
        if event == "S":
            sequence, last = (seal.sequence, seal.hash) if seal else (0, "store")
            for (lane, place), (text, _) in sorted(pending.items(), key=lambda item: (item[0][1], item[0][0])):
                sequence += 1
                last = hashed(sequence, text, lane, place, last)
                audit[sequence] = seen[2][sequence] = ((text, lane, place), last)
            pending = {}
            sealed = tuple(sorted(ends.items()))
            seal = Seal(sequence, last, sealed, mac(sequence, last, sealed))
            seen[3].add(seal)
        else:
            lane, text = "ab".index(event), f"{event}{number}"
            place = ends[lane].number + 1
            ends[lane] = End(place, mac(lane, place, text, ends[lane].head))
            pending[lane, place] = seen[1][lane, place] = (text, ends[lane].head)
            seen[0][lane].add(ends[lane])
    return Rows(ends, pending, audit, seal), seen


def is_intact(rows, anchor=None):
    """The verdict of `audit verify`."""
    seal = rows.seal
    if seal and seal.mac != mac(*seal[:3]):
        return False
    if len(rows.audit) != (seal.sequence if seal else 0) or sorted(rows.audit) != list(range(1, len(rows.audit) + 1)):
        return False
    last = "store"
    for sequence in sorted(rows.audit):
        row, stored = rows.audit[sequence]
        last = hashed(sequence, *row, last)
        if stored != last or anchor and anchor[0] == sequence and anchor[1] != last:
            return False
    if seal and seal.hash != last or anchor and anchor[0] > len(rows.audit):
        return False
    sealed = dict(seal.ends) if seal else {}
    for lane in {*sealed, *rows.ends, *(lane for lane, _ in rows.pending)}:
        if lane not in rows.ends:
            return False
        number, head = sealed.get(lane, first_end(lane))
        places = sorted(place for other, place in rows.pending if other == lane)
        if places != list(range(number + 1, rows.ends[lane].number + 1)):
            return False
        for place in places:
            text, stored = rows.pending[lane, place]
            head = mac(lane, place, text, head)
            if stored != head:
                return False
        if head != rows.ends[lane].head:
            return False
    return True


def parts(rows):
    """Every subset of a table's rows."""
    keys = list(rows)
    chosen = (itertools.combinations(keys, count) for count in range(len(keys) + 1))
    return [{key: rows[key] for key in some} for some in itertools.chain.from_iterable(chosen)]


def forgeries(seen):
    ends, pending, audit, seals = seen
    lanes = itertools.product(*[[*ends[lane], None] for lane in LANES])
    choices = [{lane: end for lane, end in zip(LANES, some) if end} for some in lanes]
    return (Rows(*some) for some in itertools.product(choices, parts(pending), parts(audit), seals))


def check(history):
    true, seen = written(history)
    assert is_intact(true)
    anchor = (true.seal.sequence, true.seal.hash)
    sealed = {row[0] for row, _ in true.audit.values()}
    counts = {"tried": 0, "alone": 0, "anchor": 0}
    for rows in forgeries(seen):
        counts["tried"] += 1
        if not is_intact(rows) or rows.records() == true.records():
            continue
        counts["alone"] += 1
        found = rows.records()
        assert set(found) <= set(true.records()) and len(found) == len(set(found)), "an invented or doubled record"
        assert rows.ends != true.ends, "a running service is deceived"
        if not is_intact(rows, anchor):
            continue
        counts["anchor"] += 1
        missing = set(true.records()) - set(found)
        assert not missing & sealed, "a sealed record is missing"
        for lane in "ab":
            later = [int(text[1:]) for text in found if text[0] == lane]
            gone = [int(text[1:]) for text in missing if text[0] == lane]
            assert not gone or not later or max(later) < min(gone), "a gap"
    return counts


for history in HISTORIES:
    counts = check(history)
    print(f"{history}: {counts['tried']} sets of rows; accepted without an anchor {counts['alone']}, with one {counts['anchor']}")
