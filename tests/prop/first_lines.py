#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is it said when a text ends in the middle, wherever that is in its first two lines?

usage: first_lines.py BIN

Each text of each format is cut at each byte of its first two lines that have something (of a table: of its title line and
its first row), and read with its format found and with its format named, also with --strict.  Each cut is refused with one
line; or something is said; or whole lines gave events, and there is nothing after them.
"""
import os
import subprocess
import sys

TITLES = "Function,        Calls,            Time (ns),     Time (%),         Average (ns),     Min (ns),      Max (ns)"
INPUTS = (
    ("unitrace-csv", "of a device", "=== Device #1 Metrics ===\n\nKernel, GlobalInstanceId, GpuTime[ns], READ[bytes], "
     "STALL[%]\n\"f<int, a>[SIMD8]\", 1, 10, 5, 10.5\n\"f<int, a>[SIMD8]\", 1, 5, 6, 30\n", 4),
    ("unitrace-csv", "without a title", "Kernel, GlobalInstanceId, GpuTime[ns], STALL[%]\n\"g\", 1, 10, 5.5\n\"g\", 1, 5, 3\n", 2),
    ("unitrace-csv", "stalls", "Kernel, IP[Address], SbidStall[Events], Other[Events]\n\"h\", 0x10, 5, 0\n", 2),
    ("unitrace-csv", "with a column of devices", "Kernel,Device,GpuTime[ns],\nk,0,5,\nk,1,7,\n", 2),
    ("flight-recorder", "", '{"version":"2.10","pg_config":{"0":{"name":"0","desc":"d","ranks":"[0]"}},\n"entries":[{"profiling_name":'
     '"nccl:a","process_group":["0","d"],"collective_seq_id":1,"time_created_ns":5,"state":"started"}]}\n', 2),
    ("perf-script", "", "a  4321/4330 [003] 12345.678901:  25 cycles:P: \n\tff81 f+0xa (k)\n\nb 77 [001] 12345.678905: sys_exit: NR 1\n", 4),
    ("memory-snapshot", "", '{"segments":[{"device":0,"total_size":64,"blocks":[]}],\n"device_traces":[[{"action":"alloc","addr":5,'
     '"size":64,"time_us":7,"frames":[]}]]}\n', 2),
    ("nccl-inspector", "", '{"header":{"id":"0x1","rank":0,"n_ranks":2},"coll_perf":{"coll":"AllReduce","coll_sn":1,"coll_exec_time_us":5}}\n'
     '{"header":{"id":"0x1","rank":0,"n_ranks":2},"coll_perf":{"coll":"AllGather","coll_sn":2,"coll_exec_time_us":6}}\n', 2),
    ("nccl-profiler", "", '[\n{"name": "AllReduce", "cat": "COLL", "ph": "b", "id": 0, "pid": 7, "tid": 1, "ts": 5.5, "args": {"SeqNum": 0, '
     '"CommHash": 67, "Rank": 1, "Datatype": ncclInt8}},\n{"name": "AllReduce", "cat": "COLL", "ph": "e", "id": 0, "pid": 7, "tid": 1, "ts": 9.5},\n{}]\n', 2),
    ("pytorch-et", "", '{"schema": "1.1.0-chakra.0.0.4", "nodes": [{"id": 2, "name": "a", "ctrl_deps": 1},\n{"id": 3, "name": "b", '
     '"ctrl_deps": 2}]}\n', 2),
    ("chakra-json", "", '{"workload_graph": [{"Id": 2, "Name": "a", "NodeType": 4},\n{"Id": 3, "data_deps": [2]}], "ngpus": 2}\n', 2),
    ("rocprof-csv", "kernels", "Index,KernelName,gpu-id,queue-id,BeginNs,EndNs\n0,\"f<int, a>\",1,2,1000,3500\n1,g,1,2,4000,5000\n", 2),
    ("rocprof-csv", "copies", "\"Kind\",\"Direction\",\"Start_Timestamp\",\"End_Timestamp\"\n"
     "\"MEMORY_COPY\",\"HOST_TO_DEVICE\",\"100\",\"150\"\n", 2),
    ("unitrace-text", "calls", ">>>> [10] <PID:1> <TID:2> zeMemAllocDevice: size = 64\n"
     "<<<< [35] <PID:1> <TID:2> zeMemAllocDevice [25 ns] pptr = 0x7 -> ZE_RESULT_SUCCESS(0x0)\n", 2),
    ("unitrace-text", "timeline", "Thread 7 Device 59 : \"f(int)[SIMD32 {1; 2; 3} {4; 5; 6}]\" [ns] 12 (append) 13 (submit) "
     "30 (start) 45 (end)\nThread 8 Device 59 : \"barrier\" [ns] 12 (append) 13 (submit) 40 (start) 46 (end)\n", 2),
    ("unitrace-text", "report", "=== API Timing Summary ===\n\n    Total Execution Time (ns):     5000\n", 3),
    ("unitrace-text", "table of a report", "=== Device Timing Summary ===\n\n== L0 Backend ==\n\n      %s\n\"k\",  2,  3000,  100.0,"
     "  1500,  1000,  2000\n" % TITLES, 6),
    ("unitrace-kmd", "", "5000,handle_mm_fault,1000000000000,3000\n5001,do_futex,1000000012345,3001,cpu1,2\n", 2),
    ("memory-timeline", "", "[[5, 0, 64, 1],\n [6, 0, 64, 1],\n [7, 2, 64, 1]]\n", 2),
    ("json", "object", '{"traceEvents": [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2},\n'
     '{"ph": "X", "name": "b", "pid": 1, "tid": 1, "ts": 1, "dur": 2}\n]}\n', 2),
    ("json", "array", '[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2},\n'
     '{"ph": "X", "name": "b", "pid": 1, "tid": 1, "ts": 1, "dur": 2},\n'
     '{"ph": "X", "name": "c", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]\n', 2),
    ("json", "header first", '{"schemaVersion": 1, "deviceProperties": [{"id": 0}],\n"traceEvents": [{"ph": "i", "name": "a", '
     '"pid": 1, "ts": 1}\n]}\n', 2),
    ("rocprof-json", "", '{"rocprofiler-sdk-tool": [{"metadata": {"pid": 5}, "agents": [], "strings": {"buffer_records": '
     '[{"kind": "HIP_API", "operations": ["hipA"]}]},\n"buffer_records": {"hip_api": [{"size": 1, "kind": 0, "operation": 0, '
     '"correlation_id": {"internal": 1, "external": 0}, "start_timestamp": 5, "end_timestamp": 9, "thread_id": 5}]}}]\n}\n', 2),
)
BLANK = b" ,\n\r\t"


def run(*command):
    return subprocess.run(command, capture_output=True)


def bad(bin, cut, whole_lines, *options):
    """Why the answer to a cut text is wrong; None: it is right."""
    p = run(bin + "/tr-parse", "-o", "cut.trs", *options, "cut.txt")
    if p.returncode == 3:
        return None if p.stderr.count(b"\n") == 1 or b": warning: " in p.stderr else "refused without one line: %r" % p.stderr
    if p.returncode != 0:
        return "status %d" % p.returncode
    said = bool(p.stderr.strip())
    if said:
        return None
    n = run(bin + "/tr-filter", "-q", "-c", "true", "cut.trs").stdout.strip()
    tables = any(run(bin + "/tr-view", "-q", "--by", name, "-O", "tsv", "cut.trs").stdout.count(b"\n") > 1
                 for name in ("timing_totals", "nodes"))
    if n == b"0" and not tables:
        return "nothing is said, and there are no events"
    return None if len(cut.rstrip(BLANK)) in whole_lines else "nothing is said, although the text ends in the middle"


def main():
    bin = sys.argv[1]
    formats = [line.split()[0].decode() for line in run(bin + "/tr-parse", "--list-formats").stdout.splitlines()]
    count = tried = 0
    for format, what, text, lines in INPUTS:
        whole = text.encode()
        parts = whole.split(b"\n")
        until = len(b"\n".join(parts[:lines]))
        at, whole_lines = 0, set()
        for part in parts:
            at += len(part) + 1
            whole_lines.add(len(whole[:at].rstrip(BLANK)))
        wrong = []
        for cut in range(1, until + 1):
            with open("cut.txt", "wb") as f:
                f.write(whole[:cut])
            for options in ((), ("--input-format", format), ("--strict",)):
                tried += 1
                why = bad(bin, whole[:cut], whole_lines, *options)
                if why:
                    wrong.append((cut, whole[max(0, cut - 9):cut], options, why))
        count += 1
        print("%s %d - %s %s: cut at each of %d bytes" % ("not ok" if wrong else "ok", count, format, what, until))
        for line in wrong[:4]:
            print("# %r" % (line,))
    count += 1
    missing = set(formats) - {format for format, *_ in INPUTS} - {"stream", "nsys", "rocpd", "rpd", "ascend-db", "perfetto",
                                                                           "xplane", "chakra", "recording"}
    print("%s %d - all formats of text, %d inputs" % ("not ok" if missing else "ok", count, tried))
    for format in sorted(missing):
        print("# no text of %s" % format)
    print("1..%d" % count)


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    main()
