# SPDX-License-Identifier: MIT
"""A trace with a secret in every place that can hold text: what tr-filter --redact lets through.

usage: redact.py RULES_SOURCE

Each place has a secret of its own, in several forms: a word, and what looks like numbers (addresses, telephone
numbers, versions, digits).  The redacted stream is searched as it is and as text.  TAP.
"""
import json
import os
import re
import subprocess
import sys

FORMS = {
    "word": "sesame{:04}",
    "address": "10.77.{:04}.1",
    "telephone": "+49-1555-{:04}",
    "digits": "491555{:04}",
    "version": "17.4.{:04}",
    "list": "[77.{:04}.3]",
    "mesh": "TP=491555{:04}",
    "hex": "0x77{:04}ab",
}
KEY = "sixteen bytes of key"
FILE = "sesame9999.json"


class Trace:
    def __init__(self, form):
        self.form, self.secrets, self.events, self.header = form, {}, [], {}

    def secret(self, place):
        text = self.form.format(len(self.secrets) + 1000)
        self.secrets[text] = place
        return text

    def event(self, **members):
        event = {"ph": "X", "name": "aten::mm", "cat": "cpu_op", "pid": 1, "tid": 1, "ts": 10 + len(self.events),
                 "dur": 1, "args": {}}
        event.update(members)
        self.events.append({k: v for k, v in event.items() if v is not None})

    def both(self, place, add):
        """A text, and the same inside JSON."""
        add(self.secret(place))
        add([self.secret(place + ", in an array")])
        add({self.secret(place + ", a key"): self.secret(place + ", in an object")})


def fill(trace, known):
    for ph in "XBEiIMCsfbenNDO":
        for member in ("name", "cat"):
            trace.event(ph=ph, **{member: trace.secret(f"{member} of ph {ph}")})
        trace.event(ph=ph, args={"a key": trace.secret(f"args of ph {ph}")})
    times = () if trace.form.startswith("49") else ("ts", "dur")  # digits in quotes are a time, and times stay
    for member in times + ("ph", "pid", "tid", "id", "bp", "s", "tts", "tdur", "scope", "id2", "bind_id",
                   "flow_in", "flow_out", "cname", "sf", "stack", "args", "color"):
        trace.both(member, lambda value, member=member: trace.event(**{member: value}))
    trace.event(pid=trace.secret("pid without tid"), tid=None)
    trace.event(**{trace.secret("a key beside args"): 1})
    for key in known + ["a key", "Concrete Inputs", "Call stack"]:
        trace.both(f"args: {key}", lambda value, key=key: trace.event(args={key: value}))
        trace.both(f"args of a kernel: {key}", lambda value, key=key: trace.event(
            cat="kernel", pid=0, tid=7, args={"device": 0, "stream": 7, key: value}))
    trace.event(args={trace.secret("a key of args"): 1})
    trace.event(args={"a": {"b": [{"c": trace.secret("deep in args")}]}})
    for name, key in (("process_name", "name"), ("process_labels", "labels"), ("thread_name", "name"),
                      ("process_sort_index", "sort_index"), ("thread_sort_index", "sort_index")):
        trace.both(f"metadata: {name}", lambda value, name=name, key=key: trace.event(
            ph="M", name=name, args={key: value}))
    trace.event(ph="B", name="opened", args={"x": trace.secret("args of a begin")})
    trace.event(ph="E", name=trace.secret("name of an end"), args={"y": trace.secret("args of an end")})
    trace.event(name="ProfilerStep#" + trace.secret("name of a step"))
    trace.event(name=trace.secret("an operator that launches"), ts=5000, dur=90)
    trace.event(name="cudaLaunchKernel " + trace.secret("a launch"), cat="cuda_runtime", ts=5001, dur=5,
                args={"correlation": 7})
    trace.event(name=trace.secret("a kernel"), cat="kernel", pid=0, tid=7, ts=5010, dur=5,
                args={"device": 0, "stream": 7, "correlation": 7})
    for key in ("schemaVersion", "host_name", "hostname", "traceName", "displayTimeUnit", "otherData", "trace_id"):
        trace.header[key] = trace.secret(f"header: {key}")
    trace.header[trace.secret("header: a key")] = 1
    trace.header["distributedInfo"] = {"backend": trace.secret("backend"), "rank": 0, "world_size": 1,
                                       "pg_config": [{"pg_name": trace.secret("pg_config"), "ranks": [0]}]}
    trace.header["deviceProperties"] = [{"id": 0, "name": trace.secret("device"), "uuid": trace.secret("uuid")}]


def run(*command, stdin=None):
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    if done.returncode:
        print(f"# {' '.join(command)}: status {done.returncode}: {done.stderr.decode(errors='replace')[:300]}")
    return done.returncode, done.stdout


def leaks(trace, option, prefix):
    """What comes through, and whether all programs could do their work."""
    status, stream = run("tr-parse", "-q", *option, FILE)
    if prefix:
        more, stream = run(*prefix, stdin=stream)
        status |= more
    more, out = run("tr-filter", "-z", "none", "--redact", "--redact-key", "key", "dur >= 0 || true", stdin=stream)
    text = b""
    for view in (("tr-view", "-O", "jsonl"), ("tr-view", "-O", "chrome"), ("tr-info", "-O", "json")):
        failed, said = run(*view, stdin=out)
        more |= failed
        text += said
    found = [place for secret, place in trace.secrets.items()
             if any(form in out or form in text for form in forms_of(secret))]
    if b"sesame9999" in out + text:
        found.append("file name")
    return status | more, found


def forms_of(secret):
    yield secret.encode()
    yield json.dumps(secret)[1:-1].encode()


def main():
    with open(sys.argv[1], encoding="utf-8") as source:
        known = sorted(set(re.findall(r'\{ "([^"]+)", TR__R_', source.read())))
    with open("key", "w", encoding="utf-8") as key:
        key.write(KEY)
    n = failed = n_places = n_leaks = 0
    for form, pattern in FORMS.items():
        trace = Trace(pattern)
        fill(trace, known)
        with open(FILE, "w", encoding="utf-8") as out:
            json.dump({**trace.header, "traceEvents": trace.events}, out)
        rules = trace.secret("a class")
        with open("my.rules", "w", encoding="utf-8") as out:
            out.write(f"[{rules} if matches]\n.\n")
        for option, prefix in ((), ()), (("--no-sort",), ()), ((), ("tr-categorize", "--rules", "./my.rules")):
            status, found = leaks(trace, option, prefix)
            n += 1
            n_places += len(trace.secrets) + 1
            n_leaks += len(found)
            failed += bool(status or found)
            what = f"{form}{' unsorted' if option else ''}{' with classes' if prefix else ''}"
            print(f"{'not ok' if status or found else 'ok'} {n} - {what}: {len(trace.secrets) + 1} secrets, "
                  f"{len(found)} come through")
            for place in found[:40]:
                print(f"#   {place}")
    print(f"# {n_places} secrets, {n_leaks} came through")
    print(f"1..{n}")
    return os.EX_OK if not failed else 1


sys.exit(main())
