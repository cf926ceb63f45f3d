#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of tr-report about all ranks of a job, made by Dask, or with the same function by Spark or Ray.

    python3 ranks_dask.py --scheduler tcp://head:8786 run7/rank*.json.gz
    python3 ranks_dask.py --workers 8 --part step=3..5 --page sections=all run7/rank*.json.gz
    python3 ranks_dask.py --workers 8 --read 'aws s3 cp {} -' s3://bucket/run7/rank0.json.gz ...

A task reads a trace and returns what it adds to the page, as bytes: 50 KB.  So workers and this program need no common
disk; workers need the traces and the package tracepipe, as its wheel has it.  With --read, a command of the shell writes
the trace {} to its output, and the task keeps it in memory as it is stored.

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
import warnings


def part(trace, read=None, **options):
    """What a trace adds to the page: (trace, bytes, None), or (trace, None, reason) if it is refused.

    options  arguments of tracepipe.open
    """
    import tracepipe

    source = trace
    if read:
        run = subprocess.run(read.replace("{}", shlex.quote(trace)), shell=True, stdout=subprocess.PIPE)
        if run.returncode != 0:
            raise RuntimeError("%s: status %d of: %s" % (trace, run.returncode, read))
        source = {os.path.basename(trace): run.stdout}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page says it
        try:
            return trace, bytes(tracepipe.partial(tracepipe.open(source, threads=1, **options), "page")), None
        except (tracepipe.UsageError, tracepipe.DamagedError, tracepipe.AbsentError) as refused:
            return trace, None, str(refused)


def save_pages(parts, out, options):
    """Make both pages of the parts: the status, and what is missing."""
    import tracepipe

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            saved = tracepipe.open(parts)
            saved.page("html", quiet=True, **options).save(os.path.join(out, "report.html"))
            said.clear()
            saved.page("text", quiet=True, **options).save(os.path.join(out, "report.txt"))
        except tracepipe.Error as failure:
            return 3, [str(failure)]
    return (5 if said else 0), [str(warning.message) for warning in said]


def page(traces, results, out, **options):
    """Make the page of the results of part, name the traces that are missing, and return the status.

    options  arguments of Trace.page: expect_ranks="0..1023"
    """
    parts = os.path.join(out, "parts")
    os.makedirs(parts, exist_ok=True)
    for old in os.listdir(parts):
        os.remove(os.path.join(parts, old))
    found = {trace: (saved, why) for trace, saved, why in results}
    missing = []
    for n, trace in enumerate(traces, 1):
        saved, why = found.get(trace, (None, "no result"))
        if saved is None:
            missing.append(why if why.startswith(trace) else "%s: %s" % (trace, why))
            continue
        with open(os.path.join(parts, "%d.part" % n), "wb") as file:
            file.write(saved)
    status, said = save_pages(parts, out, options)
    missing += said
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


def pair(text):
    key, _, value = text.partition("=")
    return key, value


def main():
    parser = argparse.ArgumentParser(description="The page of tr-report about all ranks of a job, made by Dask.")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="the scheduler of Dask [workers on this machine]")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="workers on this machine")
    parser.add_argument("--out", default="reports", help="folder for all output [reports]")
    parser.add_argument("--expect", metavar="RANKS", help="ranks that must be there, as 0..1023")
    parser.add_argument("--read", metavar="COMMAND", help="command that writes the trace {} to its output")
    parser.add_argument("--part", default=[], type=pair, action="append", metavar="KEY=VALUE",
                        help="argument of tracepipe.open for each trace: step=3..5")
    parser.add_argument("--page", default=[], type=pair, action="append", metavar="KEY=VALUE",
                        help="argument of Trace.page for the page: sections=all")
    parser.add_argument("traces", nargs="+", metavar="TRACE")
    args = parser.parse_args()

    import distributed
    function = functools.partial(part, read=args.read, **dict(args.part))
    cluster = None if args.scheduler else distributed.LocalCluster(
        n_workers=args.workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
    with distributed.Client(args.scheduler or cluster) as client:
        results = list(results_of(client, function, args.traces))
    if cluster:
        cluster.close()
    return page(args.traces, results, args.out, expect_ranks=args.expect, **dict(args.page))


if __name__ == "__main__":
    sys.exit(main())
