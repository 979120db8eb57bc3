"""Tries every order of events when a connection is lost during a commit, for three ways to find out what became of it.

A client makes one change. It sends messages to a server process, may lose the connection at any moment, asks on a new one
whether the change was committed, and repeats it if not. Messages that were sent may arrive much later, also after the answer. In
the end, the change must be there exactly once.

- look: the question reads the number of the last write.
- lock: the first message locks the writer's row, and the question waits for that lock. All messages are sent at once.
- fence: the last message before COMMIT changes the writer's row, and fails if the row has another owner. The question first makes
  itself the owner (WriterLane.swift).

The first two show that the model finds the fault: there, a late batch makes the change twice.
"""

import collections
import sys

State = collections.namedtuple("State", "changes last_write owner lock processes phase attempt sent")
# What a process of the server has received and done. `mark` is what it will store as the last write.
Process = collections.namedtuple("Process", "received done changes mark runs owner")

MESSAGES = {
    "look": ("begin", "change", "mark", "commit"),
    "lock": ("begin and lock", "change", "mark", "commit"),
    "fence": ("begin", "change", "fence", "commit"),
}


def client_events(way, state):
    messages = MESSAGES[way]
    if state.phase == "idle":
        new = Process(received=0, done=0, changes=0, mark=0, runs=True, owner=state.owner)
        yield "connect", state._replace(processes=state.processes + (new,), phase="sending", sent=0)
    if state.phase == "sending":
        own = state.processes[-1]
        if state.sent < len(messages):
            told = own._replace(received=len(messages))
            yield "send", state._replace(processes=state.processes[:-1] + (told,), sent=len(messages))
        if own.done == len(messages) and not own.runs:
            yield "answer", state._replace(phase="idle" if own.mark is None else "done")
        if state.attempt == 0:
            yield "lose the connection", state._replace(phase="asking" if state.sent else "idle", attempt=1)
    if state.phase == "asking" and (way == "look" or state.lock is None):
        owner = state.owner + 1 if way == "fence" else state.owner
        yield "ask", state._replace(owner=owner, phase="done" if state.last_write == 1 else "idle")


def server_events(way, state):
    messages = MESSAGES[way]
    for number, process in enumerate(state.processes):
        if not process.runs:
            continue

        def after(**changes):
            changed = process._replace(**changes)
            return state._replace(processes=state.processes[:number] + (changed,) + state.processes[number + 1:])

        unlocked = None if state.lock == number else state.lock
        if process.done < process.received:
            message = messages[process.done]
            done = process.done + 1
            if message == "begin":
                yield message, after(done=done)
            elif message == "change":
                yield message, after(done=done, changes=1)
            elif message == "commit":
                yield message, after(done=done, changes=0, runs=False)._replace(
                    changes=state.changes + process.changes, last_write=max(state.last_write, process.mark), lock=unlocked)
            elif state.lock in (None, number):
                if message == "begin and lock":
                    yield message, after(done=done)._replace(lock=number)
                elif message == "mark" or process.owner == state.owner and state.last_write == 0:
                    yield message, after(done=done, mark=1)._replace(lock=number)
                else:
                    yield "refuse", after(done=len(messages), changes=0, mark=None, runs=False)._replace(lock=unlocked)
        # A process whose client has gone may end before it reads what was sent.
        if number < len(state.processes) - 1 or state.phase != "sending":
            yield "end", after(done=len(messages), changes=0, mark=None, runs=False)._replace(lock=unlocked)


def explore(way):
    """The number of states, and the events that lead to one in which the change was not made exactly once; None if none does."""
    start = State(changes=0, last_write=0, owner=0, lock=None, processes=(), phase="idle", attempt=0, sent=0)
    origin, waiting = {start: None}, collections.deque([start])
    fault = None
    while waiting:
        state = waiting.popleft()
        if state.phase == "done" and not any(process.runs for process in state.processes) and state.changes != 1:
            fault = fault or state
        for event, new in [*client_events(way, state), *server_events(way, state)]:
            if new not in origin:
                origin[new] = (state, event)
                waiting.append(new)
    events = []
    while fault and origin[fault]:
        fault, event = origin[fault]
        events.insert(0, event)
    return len(origin), events


def main():
    right = True
    for way in MESSAGES:
        count, events = explore(way)
        right = right and (events == []) == (way == "fence")
        print(f"{way}: {count} states, " + ("exactly once" if not events else "not once: " + ", ".join(events)))
    sys.exit(0 if right else 1)


main()
