#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of tr-report about all ranks of a job, made by Dask, or with the same function by Spark or Ray.

    python3 ranks_dask.py --scheduler tcp://head:8786 run7/rank*.json.gz
    python3 ranks_dask.py --workers 8 run7/rank*.json.gz
    python3 ranks_dask.py --workers 8 --read 'aws s3 cp {} -' s3://bucket/run7/rank0.json.gz ...

A task reads a trace and returns what it adds to the page, as bytes: 50 KB.  So workers and this program need no common
disk; workers need the traces and the programs.  With --read, a command of the shell writes
the trace {} to its output; its rank must then be in the trace.

OUT/missing names each trace that is not in the page, and why; OUT/parts has the parts, inputs of any later tr-report.
A task that was killed, or whose worker was lost, is tried again, three times.  A trace that is refused is not.
The status is 0; 5 if something is missing; 3 if nothing is there.

In Spark and in Ray, with this file in the Python path of the workers:

    from ranks_dask import part, page
    results = sc.parallelize(traces, len(traces)).map(part).collect()
    results = ray.get([ray.remote(part).options(retry_exceptions=True).remote(trace) for trace in traces])
    status = page(traces, results, "reports")
"""
import argparse
import functools
import os
import shlex
import subprocess
import sys


def part(trace, read=None, flags=()):
    """What a trace adds to the page: (trace, bytes, None), or (trace, None, reason) if it is refused."""
    source = None
    if read:
        source = subprocess.Popen(read.replace("{}", shlex.quote(trace)), shell=True, stdout=subprocess.PIPE)
    run = subprocess.run(["tr-report", "-j", "1", *flags, "--save-partial", "-", "-" if read else trace],
                         stdin=source.stdout if source else subprocess.DEVNULL, capture_output=True)
    if source:
        source.stdout.close()
    said = run.stderr.decode(errors="replace").strip().split("\n")[-1]
    if source and source.wait() not in (0, 141, -13):  # SIGPIPE: tr-report refused it before its end
        raise RuntimeError("%s: status %d of: %s" % (trace, source.returncode, read))
    if run.returncode in (2, 3):
        return trace, None, said
    if run.returncode != 0:  # tried again
        raise RuntimeError("%s: status %d of tr-report %s" % (trace, run.returncode, said))
    return trace, run.stdout, None


def page(traces, results, out, flags=(), expect=None):
    """Make the page of the results of part, name the traces that are missing, and return the status."""
    os.makedirs(os.path.join(out, "parts"), exist_ok=True)
    parts = os.path.join(out, "parts")
    for old in os.listdir(parts):
        os.remove(os.path.join(parts, old))
    found = {trace: (saved, why) for trace, saved, why in results}
    missing = []
    for n, trace in enumerate(traces, 1):
        saved, why = found.get(trace, (None, "no result"))
        if saved is None:
            missing.append("%s: %s" % (trace, why))
            continue
        with open(os.path.join(parts, "%d.part" % n), "wb") as file:
            file.write(saved)
    status = 0
    for form, name in ("html", "report.html"), ("text", "report.txt"):
        run = subprocess.run(["tr-report", "-q", *flags, *(["--expect-ranks", expect] if expect else []),
                              "-O", form, "-o", os.path.join(out, name), parts], capture_output=True, text=True)
        status = run.returncode
    missing += run.stderr.splitlines()
    with open(os.path.join(out, "missing"), "w") as file:
        file.writelines(line + "\n" for line in missing)
    for line in missing:
        print(line, file=sys.stderr)
    return 5 if status == 0 and missing else status


def results_of(client, function, traces):
    """The result of each trace, also of those whose tasks were lost."""
    import distributed
    futures = {client.submit(function, trace, retries=3, pure=False): trace for trace in traces}
    for future in distributed.as_completed(futures):
        error = None if future.status == "finished" else future.exception()
        yield future.result() if error is None else (futures[future], None, "%s: %s" % (type(error).__name__, error))
        future.release()


def main():
    parser = argparse.ArgumentParser(description="The page of tr-report about all ranks of a job, made by Dask.")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="the scheduler of Dask [workers on this machine]")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="workers on this machine")
    parser.add_argument("--out", default="reports", help="folder for all output [reports]")
    parser.add_argument("--expect", metavar="RANKS", help="ranks that must be there, as 0..1023")
    parser.add_argument("--read", metavar="COMMAND", help="command that writes the trace {} to its output")
    parser.add_argument("--part-flags", default="", metavar="FLAGS", help="options of tr-report for each trace")
    parser.add_argument("--report-flags", default="", metavar="FLAGS", help="options of tr-report for the page")
    parser.add_argument("traces", nargs="+", metavar="TRACE")
    args = parser.parse_args()

    import distributed
    function = functools.partial(part, read=args.read, flags=shlex.split(args.part_flags))
    cluster = None if args.scheduler else distributed.LocalCluster(
        n_workers=args.workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
    with distributed.Client(args.scheduler or cluster) as client:
        results = list(results_of(client, function, args.traces))
    if cluster:
        cluster.close()
    return page(args.traces, results, args.out, shlex.split(args.report_flags), args.expect)


if __name__ == "__main__":
    sys.exit(main())
