"""The rules of the Chrome trace format (JSON object form) that Perfetto's importer relies on."""

import math

NEEDS_TIME = "XBEinstfC"
FLOWS = "stf"
NAMED_BY_METADATA = {"process_name", "process_labels", "thread_name", "process_sort_index", "thread_sort_index"}


def violations(trace):
    """What in a trace is against the format, one line each."""
    found = []
    if trace.get("displayTimeUnit", "ms") not in ("ms", "ns") or not isinstance(trace.get("traceEvents"), list):
        return ["no list of events, or an unknown unit"]
    for number, event in enumerate(trace["traceEvents"]):
        found += [f"event {number}: {what}" for what in _of_event(event)]
    return found + list(_overlaps(trace["traceEvents"]))


def _of_event(event):
    phase = event.get("ph")
    if phase not in ("M", *NEEDS_TIME):
        yield f"unknown phase {phase!r}"
        return
    if not isinstance(event.get("name"), str) or not isinstance(event.get("args", {}), dict):
        yield "a name is text, args are an object"
    for key in ("pid", "tid"):
        if not isinstance(event.get(key), int) or event[key] < 1:  # 0 is the idle process or thread
            yield f"no {key}"
    if phase in NEEDS_TIME and not _is_time(event.get("ts")):
        yield "no ts in microseconds"
    if phase == "X" and not _is_time(event.get("dur")):
        yield "a complete event needs a dur"
    if phase == "i" and event.get("s") not in ("g", "p", "t"):
        yield "an instant is of a thread, a process or all"
    if phase in FLOWS and "id" not in event:
        yield "a flow needs an id"
    if phase == "M" and (event["name"] not in NAMED_BY_METADATA or
                         event["name"].endswith("_name") and not event["args"].get("name")):
        yield "metadata that names nothing"


def _is_time(value):
    return isinstance(value, (int, float)) and math.isfinite(value) and value >= 0


def _overlaps(events):
    """Complete events of a thread nest or follow one another."""
    open_until = {}
    for event in sorted((e for e in events if e.get("ph") == "X" and _is_time(e.get("ts")) and _is_time(e.get("dur"))),
                        key=lambda e: (e["ts"], -e["dur"])):
        ends = open_until.setdefault((event["pid"], event["tid"]), [])
        while ends and ends[-1] <= event["ts"]:
            ends.pop()
        if ends and event["ts"] + event["dur"] > ends[-1]:
            yield f"{event['name']!r} overlaps the one before it"
        ends.append(event["ts"] + event["dur"])
