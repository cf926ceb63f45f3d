#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small databases as Nsight Systems exports them, and others that are like them.

usage: nsys.py KIND FILE [SEED]

  ranks    two processes, with MPI ranks: calls of the runtime and the driver that use the same numbers, copies of calls
           by back traces, kernels, a graph, waits, NVTX, MPI, calls of the operating system, metrics, memory
  old      one process, with the tables and columns of 2021
  views    one process; a table that a view replaces, one with _V3 after its name, one without numbers of rows
  damaged  values of other types, missing ones, negative durations, huge numbers, invalid UTF-8
  other    tables of no profiler that is known
  nvprof   a table of nvprof
  random   processes, calls, work and ranges at random, from SEED
"""
import os
import random
import sqlite3
import sys

GLOBAL = 1 << 48


def pid(n):
    return GLOBAL | n << 24


def tid(process, thread):
    return pid(process) | thread


class Made:
    """A database whose tables are made of rows of dictionaries."""

    def __init__(self, path, page=1024):
        if os.path.exists(path):
            os.remove(path)
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.text_factory = bytes
        self.db.execute("PRAGMA page_size = %d" % page)
        self.db.execute("BEGIN")
        self.ids = {}

    def table(self, name, columns, rows, without_rowid=""):
        names = [c.split()[0] for c in columns]
        self.db.execute("CREATE TABLE `%s` (%s)%s" % (name, ", ".join("`%s` %s" % tuple((c + " integer").split()[:2])
                                                                     for c in columns), without_rowid))
        self.db.executemany("INSERT INTO `%s` VALUES (%s)" % (name, ", ".join("?" * len(names))),
                            [[row.get(n) for n in names] for row in rows])

    def text(self, value):
        return self.ids.setdefault(value, len(self.ids) + 1)

    def strings(self, table, text="value"):
        self.db.execute("CREATE TABLE `%s` (id INTEGER NOT NULL PRIMARY KEY, `%s` TEXT)" % (table, text))
        self.db.executemany("INSERT INTO `%s` VALUES (?, ?)" % table, [(i, t) for t, i in self.ids.items()])
        self.ids = {}

    def done(self, table="StringIds", text="value"):
        self.strings(table, text)
        self.db.execute("COMMIT")
        self.db.close()


COMMON = ["start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"]
RUNTIME = ["start", "end", "eventClass", "globalTid", "correlationId", "nameId", "returnValue"]
KERNEL = COMMON + ["demangledName", "shortName", "mangledName", "registersPerThread", "gridX", "gridY", "gridZ", "blockX",
                   "blockY", "blockZ", "staticSharedMemory", "dynamicSharedMemory", "localMemoryPerThread", "graphNodeId"]
COPY = COMMON + ["bytes", "copyKind", "srcKind", "dstKind"]
NVTX = ["start", "end", "eventType", "rangeId", "category", "text text", "globalTid", "endGlobalTid", "textId", "domainId",
        "uint64Value", "int64Value", "doubleValue real", "jsonText text", "binaryData text"]
OSRT = ["start", "end", "eventClass", "globalTid", "nameId", "returnValue", "nestingLevel"]
MPI = ["start", "end", "globalTid", "textId", "commHandle", "tag", "remoteRank", "rootRank", "size", "recvSize"]


def call(m, start, dur, process, number, name, kind=0, thread=None, returned=0):
    return dict(start=start, end=start + dur, eventClass=kind, globalTid=tid(process, thread or process),
                correlationId=number, nameId=m.text(name), returnValue=returned)


def work(start, dur, process, number, stream=7, device=0, **more):
    return dict(start=start, end=start + dur, deviceId=device, contextId=1, streamId=stream, correlationId=number,
                globalPid=pid(process), **more)


def kernel(m, start, dur, process, number, name, grid=(2, 1, 1), block=(128, 1, 1), **more):
    return work(start, dur, process, number, demangledName=m.text(name), shortName=m.text(name.split("<")[0].split("(")[0]
                                                                                      .replace("void ", "")),
                registersPerThread=32, gridX=grid[0], gridY=grid[1], gridZ=grid[2], blockX=block[0], blockY=block[1],
                blockZ=block[2], staticSharedMemory=16, dynamicSharedMemory=8, localMemoryPerThread=0, **more)


def about(m, version, secret="hunter2"):
    m.table("META_DATA_EXPORT", ["name text", "value text"],
            [dict(name="EXPORT_SCHEMA_VERSION", value=version), dict(name="EXPORT_PRODUCT_VERSION", value="2026.1.1.1")])
    m.table("META_DATA_CAPTURE", ["name text", "value text"],
            [dict(name="Hostname", value="node01"),
             dict(name="PROCESS_0:ENVIRONMENT_VARIABLE", value='API_KEY="%s"' % secret),
             dict(name="PROCESS_0:ENVIRONMENT_VARIABLE", value='SLURM_PROCID="5"'),
             dict(name="CUDA_GRAPH_TRACE_OPTIONS:MODE", value="Graph")])
    m.table("TARGET_INFO_SYSTEM_ENV", ["name text", "value text"],
            [dict(name="DeviceEnvironment", value="TOKEN=%s;SLURM_PROCID=5" % secret)])
    m.table("TARGET_INFO_SESSION_START_TIME", ["utcEpochNs"], [dict(utcEpochNs=1700000000000000000)])
    m.text("PMI_SHARED_SECRET=%s" % secret)


def ranks(path):
    m = Made(path)
    about(m, "3.28.1")
    m.table("TARGET_INFO_GPU", ["vmId", "id", "name text", "smCount", "totalMemory", "computeMajor", "computeMinor"],
            [dict(id=0, name="NVIDIA H100", smCount=132, totalMemory=85 << 30, computeMajor=9, computeMinor=0),
             dict(id=1, name="Intel Graphics", smCount=0)])
    calls, kernels, copies, sets, graphs, waits, records, nvtx, osrt, p2p, coll, wait = ([] for _ in range(12))
    for n, process in enumerate((40, 41)):
        at = 1000 + 7 * n
        calls += [call(m, at, 50, process, 1, "cudaLaunchKernel_v7000"),
                  call(m, at, 52, process, 1, "cudaLaunchKernel", 67),             # the copy by a back trace
                  call(m, at + 100, 40, process, 2, "cudaLaunchKernelExC_v11060"),
                  call(m, at + 110, 20, process, 2, "cuLaunchKernelEx", 1),       # inside, with the same number
                  call(m, at + 200, 30, process, 3, "cudaMemcpyAsync_v3020"),
                  call(m, at + 300, 30, process, 4, "cudaMemsetAsync_v3020", returned=2 * n),
                  call(m, at + 400, 30, process, 5, "cudaGraphLaunch_v10000", thread=process + 500),
                  call(m, at + 500, 10, process, 6, "cudaEventRecord_v3020"),
                  call(m, at + 600, 10, process, 7, "cudaStreamWaitEvent_v3020"),
                  call(m, at + 700, 200, process, 8, "cudaStreamGetCaptureInfo_v2_v11030"),
                  call(m, at + 950, 5, process, 90 + n, "cudaMalloc", 67)]         # without the call that it copies
        kernels += [kernel(m, at + 60, 100, process, 1, "void gemm<float>(float*)", graphNodeId=None),
                    kernel(m, at + 160 + n, 50, process, 2, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(args)"),
                    kernel(m, 500 + n, 10, process, 77, "void early()"),            # its call was before the capture
                    kernel(m, at + 440, 10, process, 5, "void node()", graphNodeId=6 << 32 | 3)]
        copies += [work(at + 230, 20, process, 3, 13, bytes=4096, copyKind=1, srcKind=1, dstKind=2)]
        sets += [work(at + 330, 5, process, 4, bytes=64, value=0, memKind=2)]
        graphs += [work(at + 460, 30, process, 5, graphId=9, graphExecId=4)]
        records += [work(0, 0, process, 6, 13, eventId=3)]
        waits += [work(at + 601, 3, process, 7, 7, device=0, syncType=2, eventId=3),
                  work(at + 701, 150, process, 8, 4294967295, syncType=4, eventId=4294967295)]
        main, other = tid(process, process), tid(process, process + 500)
        nvtx += [dict(start=1, eventType=75, text="NCCL", domainId=1, globalTid=main),
                 dict(start=2, eventType=33, text="io", category=7, domainId=0, globalTid=main),
                 dict(start=at - 5, end=at + 190, eventType=59, textId=m.text("forward"), domainId=0, globalTid=main,
                      uint64Value=12 + n),
                 dict(start=at + 95, end=at + 145, eventType=59, text="ncclAllReduce", domainId=1, globalTid=main),
                 dict(start=at + 195, end=at + 235, eventType=59, domainId=0, globalTid=main,
                      text="aten::mm, op_id = 31, seq = 4, sizes = [[2, 3], [3, 4]]"),
                 dict(start=at + 20, end=at + 480, eventType=60, text="micro", rangeId=5, domainId=0, globalTid=main,
                      endGlobalTid=other),
                 dict(start=at + 30, eventType=34, text="mark", category=7, domainId=0, globalTid=main, doubleValue=0.5),
                 dict(start=at + 900, eventType=59, text="open", domainId=0, globalTid=main, jsonText='{"a": 1}')]
        osrt += [dict(start=at + 300, end=at + 350, eventClass=27, globalTid=other, nameId=m.text("poll"), returnValue=1,
                      nestingLevel=0),
                 dict(start=at + 900, end=at + 900, eventClass=31, globalTid=other, nameId=m.text("sem_wait"))]
        p2p += [dict(start=at + 700, end=at + 710, globalTid=main, textId=m.text("MPI_Isend"), tag=3, remoteRank=1, size=80),
                dict(start=at + 720, end=at + 730, globalTid=main, textId=m.text("MPI_Irecv"), tag=3, remoteRank=0, size=80)]
        coll += [dict(start=at + 740, end=at + 760, globalTid=main, textId=m.text("MPI_Allreduce"), size=8, recvSize=8)]
        wait += [dict(start=at + 770, end=at + 790, globalTid=main, textId=m.text("MPI_Waitall"))] * 3
    m.table("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, calls)
    m.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, kernels)
    m.table("CUPTI_ACTIVITY_KIND_MEMCPY", COPY, copies)
    m.table("CUPTI_ACTIVITY_KIND_MEMSET", COMMON + ["bytes", "value", "memKind"], sets)
    m.table("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", COMMON + ["graphId", "graphExecId"], graphs)
    m.table("CUPTI_ACTIVITY_KIND_CUDA_EVENT", COMMON + ["eventId"], records)
    m.table("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", COMMON + ["syncType", "eventId"], waits)
    m.table("CUPTI_ACTIVITY_KIND_OVERHEAD", ["start", "end", "globalTid", "nameId"],
            [dict(start=1705, end=1709, globalTid=tid(40, 40), nameId=m.text("Command Buffer Full"))])
    m.table("NVTX_EVENTS", NVTX, nvtx)
    m.table("OSRT_API", OSRT, osrt)
    m.table("MPI_P2P_EVENTS", MPI, p2p)
    m.table("MPI_COLLECTIVES_EVENTS", MPI, coll)
    m.table("MPI_START_WAIT_EVENTS", MPI, wait)
    m.table("MPI_RANKS", ["globalTid", "rank"], [dict(globalTid=tid(40, 40), rank=3), dict(globalTid=tid(41, 41), rank=2)])
    m.table("ThreadNames", ["nameId", "priority", "globalTid"],
            [dict(nameId=m.text("pt_autograd_0"), globalTid=tid(40, 540)), dict(nameId=m.text("systemd"), globalTid=tid(1, 1))])
    m.table("PROCESSES", ["globalPid", "pid", "name text"],
            [dict(globalPid=pid(40), pid=40, name="python3"), dict(globalPid=pid(1), pid=1, name="systemd")])
    m.table("TARGET_INFO_GPU_METRICS", ["typeId", "metricId", "metricName text"],
            [dict(typeId=256 + 1, metricId=0, metricName="SMs Active [%]")])
    m.table("GPU_METRICS", ["timestamp", "typeId", "metricId", "value"],
            [dict(timestamp=1000 + 100 * i, typeId=257, metricId=0, value=10 * i) for i in range(3)] +
            [dict(timestamp=1000, typeId=257, metricId=5, value=1)])
    m.table("CUDA_GPU_MEMORY_USAGE_EVENTS", ["start", "globalPid", "deviceId", "contextId", "address", "bytes", "memKind",
                                             "memoryOperationType"],
            [dict(start=900, globalPid=pid(40), deviceId=0, address=4096, bytes=512, memKind=2, memoryOperationType=0),
             dict(start=2000, globalPid=pid(40), deviceId=0, address=4096, bytes=512, memKind=2, memoryOperationType=1)])
    m.table("SCHED_EVENTS", ["start", "cpu"], [dict(start=1, cpu=0)] * 5)
    m.table("DIAGNOSTIC_EVENT", ["timestamp", "severity", "text text"],
            [dict(timestamp=-5, severity=1, text="started"), dict(timestamp=1, severity=2, text="no kernel samples")])
    m.done()


def old(path):
    m = Made(path)
    m.table("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME[:2] + RUNTIME[3:6],
            [call(m, 1000, 50, 9, 1, "cudaLaunchKernel_v7000"), call(m, 1100, 50, 9, 2, "cuMemcpyHtoD_v2")])
    m.table("CUPTI_ACTIVITY_KIND_KERNEL", COMMON[:6] + ["demangledName", "shortName", "gridX", "gridY", "gridZ"],
            [kernel(m, 1060, 20, 9, 1, "void f(int)")])
    m.table("CUPTI_ACTIVITY_KIND_MEMCPY", COMMON + ["bytes", "copyKind"], [work(1120, 9, 9, 2, bytes=8, copyKind=1)])
    m.table("TARGET_INFO_GPU", ["deviceId", "name text"], [dict(deviceId=0, name="GeForce")])
    m.done()


def views(path):
    m = Made(path)
    m.table("CALLS", RUNTIME, [call(m, 1000, 50, 9, 1, "cudaLaunchKernel_v7000")])
    m.db.execute("CREATE VIEW CUPTI_ACTIVITY_KIND_RUNTIME AS SELECT nameId, 'x' AS more, globalTid, correlationId, `end`, start "
                 "FROM CALLS")
    m.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, [])
    m.table("CUPTI_ACTIVITY_KIND_KERNEL_V3", list(reversed(KERNEL)), [kernel(m, 1060, 20, 9, 1, "void f(int)")])
    m.table("NVTX_EVENTS", NVTX[:6] + ["globalTid", "eventId integer"], [])
    m.db.execute("DROP TABLE NVTX_EVENTS")
    m.db.execute("CREATE TABLE NVTX_EVENTS (eventId integer primary key, start, `end`, eventType, text, globalTid) WITHOUT ROWID")
    m.db.execute("INSERT INTO NVTX_EVENTS VALUES (1, 990, 1080, 59, 'step 1', %d)" % tid(9, 9))
    m.db.execute("CREATE VIEW OSRT_API AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS start, i AS "
                 "`end`, 27 AS eventClass, NULL AS globalTid, NULL AS nameId FROM n WHERE i < 0")
    m.done()


def damaged(path):
    m = Made(path)
    any_type = [c + " blob" for c in RUNTIME]
    good = call(m, 1000, 50, 9, 1, "cudaLaunchKernel_v7000")
    rows = [good, dict(good, start="soon"), dict(good, start=None), dict(good, end=b"\x00\x01", correlationId=2),
            dict(good, start=1100, end=1050, correlationId=3), dict(good, start=1200.0, end=1250, correlationId=4),
            dict(good, start=1300, end=1310, correlationId=1 << 40), dict(good, start=1400, end=1410, nameId=999),
            dict(good, start=1500, end=1510, globalTid=-1), dict(good, start=1600, end=1610, globalTid=None),
            dict(good, start=-(1 << 63), end=(1 << 63) - 1), dict(good, start=1700, end=(1 << 63) - 1, correlationId=-5),
            dict(good, start=1800, end=1810, eventClass="odd"), dict(good, start=1900, end=1910, eventClass=26)]
    m.table("CUPTI_ACTIVITY_KIND_RUNTIME", any_type, rows)
    k = kernel(m, 1060, 20, 9, 1, "void f(int)")
    m.table("CUPTI_ACTIVITY_KIND_KERNEL", [c + " blob" for c in KERNEL],
            [k, dict(k, start=None), dict(k, start=1090, end=1095, gridX=None), dict(k, start=1311, end=1312,
                                                                                  correlationId=1 << 40),
             dict(k, start=1100, end=1101, demangledName=None, shortName=None, deviceId=(1 << 62), streamId=None,
                  globalPid=None, staticSharedMemory=(1 << 62), dynamicSharedMemory=(1 << 62))])
    m.table("CUPTI_ACTIVITY_KIND_MEMCPY", COPY, [work(1120, 9, 9, 2, bytes=-1, copyKind=99, srcKind=-4, dstKind=77)])
    m.table("NVTX_EVENTS", NVTX, [
        dict(start=1000, end=1200, eventType=59, globalTid=tid(9, 9)),
        dict(start=1001, end=1190, eventType=59, globalTid=tid(9, 9), text="x, op_id = twelve, sizes = [[1, , seq = "),
        dict(start=1300, end=1200, eventType=60, globalTid=tid(9, 9), text="backwards"),
        dict(start=None, end=1200, eventType=59, globalTid=tid(9, 9), text="never")])
    m.db.execute("UPDATE NVTX_EVENTS SET text = CAST(x'c3284141' AS TEXT) WHERE text IS NULL")
    m.db.execute("CREATE TABLE META_DATA_EXPORT (name, value)")
    m.db.execute("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', 3), (NULL, NULL), (1, x'00')")
    m.done()


def other(path):
    m = Made(path)
    m.table("accounts", ["id", "balance"], [dict(id=1, balance=2)])
    m.table("addresses", ["id"], [])
    m.db.execute("COMMIT")
    m.db.close()


def nvprof(path):
    m = Made(path)
    m.table("StringTable", ["id"], [])
    m.db.execute("COMMIT")
    m.db.close()


def at_random(path, seed):
    """Numbers of calls are the same in all processes; some calls have a driver's call inside, some work has no call."""
    rng = random.Random(seed)
    m = Made(path, rng.choice((512, 1024, 4096)))
    about(m, "3.%d.0" % rng.randrange(30))
    calls, kernels, copies, nvtx, osrt = [], [], [], [], []
    for process in rng.sample(range(10, 90), rng.randrange(1, 4)):
        now, number = rng.randrange(1000, 2000), 0
        for _ in range(rng.randrange(20, 60)):
            number += 1
            now += rng.randrange(1, 100)
            dur = rng.randrange(10, 60)
            thread = process + rng.randrange(2)
            calls.append(call(m, now, dur, process, number, "cudaLaunchKernel_v7000", thread=thread))
            if rng.random() < 0.3:
                calls.append(call(m, now + 2, dur - 4, process, number, "cuLaunchKernel", 1, thread=thread))
            if rng.random() < 0.2:
                calls.append(call(m, now, dur + 1, process, number, "cudaLaunchKernel", 67, thread=thread))
            if rng.random() < 0.5:
                nvtx.append(dict(start=now - 1, end=now + dur + 2, eventType=59, text="range %d" % rng.randrange(5), domainId=0,
                                 globalTid=tid(process, thread)))
            for _ in range(rng.choice((0, 1, 1, 1, 3))):
                kernels.append(kernel(m, now + rng.randrange(5, 300), rng.randrange(1, 50), process, number,
                                      "void k%d(int)" % rng.randrange(6), stream=rng.randrange(7, 10)))
            now += dur + 3
            if rng.random() < 0.2:
                copies.append(work(now, 5, process, number + 5000, bytes=rng.randrange(1 << 33), copyKind=rng.randrange(1, 11),
                                   srcKind=1, dstKind=2))
            if rng.random() < 0.2:
                osrt.append(dict(start=now, end=now + 4, eventClass=27, globalTid=tid(process, process + 7), nameId=m.text("poll")))
    for rows in (calls, kernels, copies, nvtx, osrt):
        rng.shuffle(rows)
    m.table("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, calls)
    m.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, kernels)
    m.table("CUPTI_ACTIVITY_KIND_MEMCPY", COPY, copies)
    m.table("NVTX_EVENTS", NVTX, nvtx)
    m.table("OSRT_API", OSRT, osrt)
    m.done()


KINDS = {"ranks": ranks, "old": old, "views": views, "damaged": damaged, "other": other, "nvprof": nvprof}

if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "random":
        at_random(sys.argv[2], int(sys.argv[3]))
    elif len(sys.argv) == 3 and sys.argv[1] in KINDS:
        KINDS[sys.argv[1]](sys.argv[2])
    else:
        sys.exit(__doc__)
