#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small databases as rocprofv3 (rocpd), rocmProfileData (rpd) and Ascend's profiler write them.

usage: databases.py KIND FILE [SEED]

  rocpd     two processes in one file, whose tables and numbers are their own: calls, markers, kernels of a graph,
            copies, counters with a dispatch and without, memory, events of streams
  rocpd4    one process, as later versions place rows: by tracks, with categories in a table
  rpd       schema 3: calls, ranges with what PyTorch says of operators, a graph, copies, sizes that were not written
  rpd2      schema 2: texts in one table
  ascend    calls, operators of PyTorch, tasks, collectives, memory, counters; times as texts
  damaged-rocpd, damaged-rpd, damaged-ascend   values of other types, missing ones, numbers of rows that are not there
  random-rocpd, random-rpd, random-ascend      calls and work at random, from SEED
"""
import random
import sys

import nsys

SECRET = "hunter2"
HIP, KERNEL, COPY, MARKER, HSA, RCCL = ("HIP_RUNTIME_API", "KERNEL_DISPATCH", "MEMORY_COPY", "MARKER_CORE_RANGE_API",
                                        "HSA_CORE_API", "RCCL_API")
TEXT = " text"
ID = "id integer primary key,"


class Rocpd:
    """The tables of a process."""

    def __init__(self, m, suffix, pid, rank):
        self.m, self.suffix, self.pid = m, suffix, pid
        self.rows = {}
        self.events = 0
        self.add("rocpd_metadata", tag="schema_version", value="3")
        self.add("rocpd_info_node", machine_id="m1", hostname="node01")
        self.add("rocpd_info_process", id=pid, pid=pid, command="python train.py",
                 environment='{"API_KEY": "%s", "NOTE": "\\"RANK\\": \\"9\\"", "RANK": "%d"}' % (SECRET, rank))
        self.add("rocpd_info_thread", id=pid, tid=pid, pid=pid, name="main")
        self.add("rocpd_info_thread", id=77, tid=pid + 5, pid=pid)
        for n, kind in enumerate(("CPU", "GPU", "GPU")):
            self.add("rocpd_info_agent", id=n, type=kind, absolute_index=n, type_index=n - (n > 0), name="gfx942")
        self.add("rocpd_info_kernel_symbol", id=1, display_name="gemm(float*)", kernel_name="_Z4gemmPf.kd")
        self.add("rocpd_info_kernel_symbol", id=2, display_name="", kernel_name="relu.kd")
        self.add("rocpd_info_pmc", id=11, name="SQ_WAVES", agent_id=1)
        self.add("rocpd_info_pmc", id=12, name="MeanOccupancy", agent_id=2)

    def add(self, table, **row):
        rows = self.rows.setdefault(table, [])
        rows.append(dict({"id": len(rows) + 1}, **row))
        return rows[-1]["id"]

    def event(self, category, stack, extra="{}", external=0):
        return self.add("rocpd_event", category_id=self.m.text(category), stack_id=stack, correlation_id=external, extdata=extra)

    def place(self, **more):
        return dict(nid=1, pid=self.pid, tid=self.pid, **more)

    def call(self, start, dur, stack, name, category=HIP, extra="{}", tid=None):
        row = self.place(start=start, end=start + dur, name_id=self.m.text(name), event_id=self.event(category, stack, extra))
        row["tid"] = tid or row["tid"]
        return self.add("rocpd_region", **row)

    def kernel(self, start, dur, stack, kernel=1, agent=1, queue=3, stream=2, items=(257, 2, 1), group=(128, 1, 1), **more):
        event = self.event(KERNEL, stack, external=5)
        sizes = dict(zip(("grid_size_x", "grid_size_y", "grid_size_z"), items))
        sizes.update(zip(("workgroup_size_x", "workgroup_size_y", "workgroup_size_z"), group))
        self.add("rocpd_kernel_dispatch", **self.place(start=start, end=start + dur, agent_id=agent, queue_id=queue,
                                                       stream_id=stream, kernel_id=kernel, dispatch_id=stack * 10,
                                                       private_segment_size=0, group_segment_size=1024, event_id=event,
                                                       **sizes, **more))
        return event

    def copy(self, start, dur, stack, way="HOST_TO_DEVICE", src=0, dst=2, size=4096):
        self.add("rocpd_memory_copy", **self.place(start=start, end=start + dur, name_id=self.m.text("MEMORY_COPY_" + way),
                                                   src_agent_id=src, dst_agent_id=dst, size=size, stream_id=2,
                                                   event_id=self.event(COPY, stack)))

    def done(self):
        texts = ("tag", "value", "machine_id", "hostname", "command", "environment", "name", "type", "display_name",
                 "kernel_name", "extdata", "level")
        for table, rows in self.rows.items():
            columns = list(dict.fromkeys(k for row in rows for k in row))
            kinds = [c + (" integer primary key" if c == "id" else " real" if c == "value" and "pmc" in table else TEXT if c in texts
                     else "")
                     for c in columns]
            self.m.db.execute("CREATE TABLE `%s%s` (%s)" % (table, self.suffix, ", ".join(
                "`%s`%s" % (k.split()[0], k[len(k.split()[0]):] or " integer") for k in kinds)))
            self.m.db.executemany("INSERT INTO `%s%s` VALUES (%s)" % (table, self.suffix, ", ".join("?" * len(columns))),
                                  [[row.get(c) for c in columns] for row in rows])
        self.m.strings("rocpd_string" + self.suffix, "string")


def rocpd_process(m, suffix, pid, rank, at):
    p = Rocpd(m, suffix, pid, rank)
    p.call(at - 50, 900, 1, "roctxRangePushA", MARKER, '{"message": "step \\"one\\""}')
    p.call(at - 20, 30, 9, "roctxRangePushA", MARKER, '{"message": "aten::mm, op_id = 7, seq = 3, sizes = [[2, 3], [3]]"}')
    p.call(at, 50, 2, "hipLaunchKernel")
    p.call(at + 10, 20, 20, "hsa_queue_store", HSA)
    p.call(at + 100, 50, 3, "hipGraphLaunch", tid=77)
    p.call(at + 200, 30, 4, "hipMemcpyAsync")
    p.call(at + 240, 30, 5, "ncclAllReduce", RCCL)
    p.call(at + 280, 5, 6, "page fault", "KFD_PAGE_FAULT")
    event = p.kernel(at + 60, 40, 2, region_name_id=m.text("my step"))
    p.add("rocpd_pmc_event", event_id=event, pmc_id=11, value=96.0)
    p.add("rocpd_pmc_event", event_id=event, pmc_id=12, value=0.25)
    p.kernel(at + 160, 10, 3, kernel=2, graph_exec_id=8, graph_node_id=1)
    p.kernel(at + 180, 10, 3, kernel=3, queue=4, graph_exec_id=8, graph_node_id=2, items=(64, 1, 1), group=(64, 1, 1))
    p.copy(at + 230, 25, 4)
    p.copy(at + 260, 5, 4, "DEVICE_TO_DEVICE", 1, 2, 1 << 33)
    track = p.add("rocpd_track", nid=1, pid=pid, tid=pid, name_id=m.text(HIP))
    p.add("rocpd_sample", track_id=track, timestamp=at + 300, event_id=p.event(HIP, 7))
    sample = p.add("rocpd_sample", track_id=track, timestamp=at + 310)
    p.add("rocpd_pmc_event", pmc_id=11, value=12.5, sample_id=sample)
    for n, (kind, level, address, size) in enumerate((("ALLOC", "REAL", 4096, 1 << 20), ("ALLOC", "REAL", 8192, 512),
                                                      ("FREE", "REAL", 4096, 0), ("ALLOC", "SCRATCH", 1, 1))):
        p.add("rocpd_memory_allocate", **p.place(start=at + 400 + n, end=at + 410 + n, type=kind, level=level, address=address,
                                                 size=size, agent_id=None if kind == "FREE" else 1))
    p.add("rocpd_hip_event", **p.place(start=at + 500, end=at + 520, type="WAIT", agent_id=1, queue_id=3, stream_id=2,
                                       event_id=p.event(HIP, 2)))
    p.add("rocpd_arg", event_id=1, position=0, name="stream")
    return p


def rocpd(path):
    m = nsys.Made(path)
    for n in range(2):
        p = rocpd_process(m, "_0%d_ab" % n, 40, 3 - n, 1000 + 7 * n)
        p.rows["rocpd_info_process"][0].update(pid=40 + n)
        p.done()
    m.db.execute("CREATE VIEW rocpd_region AS SELECT * FROM rocpd_region_00_ab UNION ALL SELECT * FROM rocpd_region_01_ab")
    m.db.execute("CREATE VIEW rocpd_info_process AS SELECT id, pid FROM rocpd_info_process_00_ab")
    m.db.execute("COMMIT")
    m.db.close()


def rocpd4(path):
    m = nsys.Made(path)
    p = rocpd_process(m, "_4", 40, 1, 1000)
    tracks = {}
    names = {}
    for table in ("rocpd_region", "rocpd_kernel_dispatch", "rocpd_memory_copy"):
        for row in p.rows[table]:
            place = tuple((k, row.pop(k, None)) for k in ("pid", "tid", "agent_id", "queue_id", "stream_id"))
            row.pop("nid")
            row["track_id"] = tracks.get(place) or tracks.setdefault(place, p.add("rocpd_track", **dict(place)))
    texts = {i: t for t, i in m.ids.items()}
    for row in p.rows["rocpd_event"]:
        row["category_id"] = names.setdefault(texts[row["category_id"]], len(names) + 1)
    for name, number in names.items():
        p.add("rocpd_info_category", id=number, name=name)
    p.done()
    m.db.execute("COMMIT")
    m.db.close()


RPD_API = ["id integer primary key", "pid", "tid", "start", "end", "apiName_id", "args_id", "domain_id"]
RPD_OP = ["id integer primary key", "gpuId", "queueId", "sequenceId", "start", "end", "description_id", "opType_id"]
RPD_KERNEL = ["api_ptr_id integer primary key", "stream text", "gridX", "gridY", "gridZ", "workgroupX", "workgroupY", "workgroupZ",
              "groupSegmentSize", "privateSegmentSize"]
RPD_COPY = ["api_ptr_id integer primary key", "stream text", "size", "kind"]
MONITOR = ["id integer primary key", "deviceType text", "deviceId", "monitorType text", "start", "end", "value text"]
HIGH = 1 << 32


def made_table(m, name, columns, rows):
    names = [c.split()[0] for c in columns]
    m.db.execute("CREATE TABLE `%s` (%s)" % (name, ", ".join("`%s` %s" % (c.split()[0], c[len(c.split()[0]):] or "integer")
                                                           for c in columns)))
    m.db.executemany("INSERT INTO `%s` VALUES (%s)" % (name, ", ".join("?" * len(names))),
                     [[row.get(n) for n in names] for row in rows])


def rpd_rows(path, schema):
    m = nsys.Made(path)
    ustrings = {}
    arg = (lambda t: ustrings.setdefault(t, len(ustrings) + 1)) if schema == 3 else m.text
    apis, ops, links = [], [], []

    def api(n, start, dur, name, args="", pid=70):
        apis.append(dict(id=HIGH + n, pid=pid, tid=pid + 1, start=start, end=start + dur, apiName_id=m.text(name), args_id=arg(args)))

    def op(n, start, dur, kind, call, description="", gpu=2):
        ops.append(dict(id=n, gpuId=gpu, queueId=0, start=start, end=start + dur, description_id=m.text(description),
                        opType_id=m.text(kind)))
        if call:
            links.append(dict(api_id=HIGH + call, op_id=n))

    api(1, 1000, 50, "hipLaunchKernel")
    api(2, 1100, 50, "hipExtModuleLaunchKernel", pid=71)
    api(3, 1200, 20, "hipGraphLaunch", "graphExec = 0x7f | stream = 0x0")
    api(4, 1300, 20, "hipMemcpyAsync", pid=71)
    api(5, 1400, 10, "hipMalloc", "ptr=0x10 | size=0x20")
    api(6, 990, 500, "UserMarker", "forward")
    api(7, 995, 60, "UserMarker", "aten::mm, op_id = 7, seq = 3, sizes = [[2, 3]]")
    api(8, 1500, 0, "UserMarker", "a mark")
    api(9, 1510, 5, "OpTable::writeRows")
    api(10, 1520, 5, "run_to_completion")
    op(1, 1060, 30, "KernelExecution", 1, "gemm(float*)")
    op(2, 1160, 30, "KernelExecution", 2, "_Z4relu", gpu=3)
    op(3, 1230, 10, "Task", 3, "k1")
    op(4, 1245, 10, "Task", 3, "k2")
    op(5, 1330, 40, "CopyHostToDevice", 4, gpu=3)
    op(6, 1380, 5, "FillBuffer", None)
    op(7, 1390, 5, "Barrier", None)
    op(8, 1396, 5, "Mystery", 1)
    made_table(m, "rocpd_api", RPD_API, apis)
    made_table(m, "rocpd_op", RPD_OP, ops)
    made_table(m, "rocpd_api_ops", ["id integer primary key", "api_id", "op_id"], reversed(links))
    made_table(m, "rocpd_kernelapi", RPD_KERNEL, [
        dict(zip([c.split()[0] for c in RPD_KERNEL], row)) for row in (
            (HIGH + 1, "0x0", 2, 3, 1, 128, 1, 1, 512, 0), (HIGH + 2, "0x7f", 257, 2, 1, 128, 1, 1, "", ""))])
    made_table(m, "rocpd_copyapi", RPD_COPY, [dict(api_ptr_id=HIGH + 4, stream="0x0", size="", kind=1)])
    made_table(m, "rocpd_monitor", MONITOR, [
        dict(deviceType="gpu", deviceId=0, monitorType="sclk", start=s, end=e, value=v)
        for s, e, v in ((1000, 1100, "500"), (1100, 1150, "1700.5"), (1300, 1400, "600"))])
    made_table(m, "rocpd_metadata", ["id integer primary key", "tag text", "value text"],
               [dict(tag="schema_version", value=str(schema)), dict(tag="session_count", value="1")])
    made_table(m, "ext_graph", ["id"], [dict(id=1)])
    made_table(m, "rocpd_stackframe", ["id integer primary key"], [dict(), dict()])
    if schema == 3:
        made_table(m, "rocpd_ustring", ["id integer primary key", "string text"],
                   [dict(id=i, string=t) for t, i in ustrings.items()])
    m.done("rocpd_string", "string")


TASK = ["startNs", "endNs", "deviceId", "connectionId", "globalTaskId", "globalPid", "taskType", "contextId", "streamId", "taskId"]
API = ["startNs", "endNs", "type", "globalTid", "connectionId integer primary key", "name"]
TORCH = ["startNs text", "endNs text", "globalTid", "connectionId", "name", "sequenceNumber", "inputDtypes", "inputShapes", "type"]
COMPUTE = ["name", "globalTaskId integer primary key", "blockDim", "opType", "inputDataTypes", "inputShapes", "outputShapes"]
COMM = ["opName", "startNs", "endNs", "connectionId", "groupName", "opId integer primary key", "dataType", "algType", "count", "opType"]
NPU_MEMORY = ["name", "size", "allocationTime", "releaseTime", "allocationTotalAllocated", "allocationTotalReserved",
              "releaseTotalAllocated", "releaseTotalReserved", "deviceId"]
BASE = 1700000000000000000


def ascend(path):
    m = nsys.Made(path)
    tid = lambda n: 90 << 32 | n  # noqa: E731
    task = lambda start, dur, number, connection, kind, stream=2: dict(  # noqa: E731
        startNs=BASE + start, endNs=BASE + start + dur, deviceId=3, connectionId=connection, globalTaskId=number, globalPid=90,
        taskType=m.text(kind), streamId=stream, taskId=number + 100)
    torch = lambda start, dur, name, kind, thread=90, connection=None, **more: dict(  # noqa: E731
        startNs=str(BASE + start), endNs=str(BASE + start + dur), globalTid=tid(thread), connectionId=connection,
        name=m.text(name), type=kind, sequenceNumber=-1, **more)
    call = lambda start, dur, kind, connection, name, thread=91: dict(  # noqa: E731
        startNs=BASE + start, endNs=BASE + start + dur, type=kind, globalTid=tid(thread), connectionId=connection, name=m.text(name))
    made_table(m, "META_DATA", ["name text", "value text"], [dict(name="SCHEMA_VERSION", value="1.0.0")])
    made_table(m, "HOST_INFO", ["hostUid text", "hostName text"], [dict(hostUid="1", hostName="node07")])
    made_table(m, "RANK_DEVICE_MAP", ["rankId", "deviceId"], [dict(rankId=5, deviceId=3)])
    made_table(m, "ENUM_API_TYPE", ["id integer primary key", "name text"], [
        dict(id=i, name=n) for i, n in ((5000, "runtime"), (10000, "node"), (20000, "acl"), (50001, "op"), (50002, "queue"),
                                        (50003, "trace"), (50004, "mstx"))])
    made_table(m, "ENUM_HCCL_DATA_TYPE", ["id integer primary key", "name text"], [dict(id=4, name="FP32")])
    made_table(m, "CANN_API", API, [call(1000, 50, 20000, 1, "aclnnAdd"), call(1010, 10, 10000, 2, "launch"),
                                    call(1100, 20, 5000, 3, "MemcpyAsync"), call(1200, 20, 20000, 4, "HcclAllReduce")])
    made_table(m, "PYTORCH_API", TORCH, [
        torch(900, 600, "ProfilerStep#8", 50001), torch(950, 30, "aten::add", 50001, connection=0, inputShapes=m.text("2,3;"),
                                                        inputDtypes=m.text("float")),
        torch(960, 10, "Enqueue", 50002, connection=1), torch(990, 80, "Dequeue@aten::add", 50002, 91),
        torch(940, 60, "train.py(3): step", 50003), torch(1300, 10, "my range", 50004)])
    made_table(m, "CONNECTION_IDS", ["id", "connectionId"], [dict(id=0, connectionId=2), dict(id=0, connectionId=3)])
    made_table(m, "MSTX_EVENTS", ["startNs", "endNs", "message", "globalTid"], [
        dict(startNs=BASE + 1400, endNs=BASE + 1400, message=m.text("a mark"), globalTid=tid(90))])
    made_table(m, "TASK", TASK, [
        task(1060, 30, 1, 2, "KERNEL_AIVEC"), task(1130, 20, 2, 3, "MEMCPY_ASYNC"), task(1150, 15, 3, 9, "EVENT_WAIT"),
        task(1230, 100, 4, 4, "AI_CORE", 4), task(1235, 40, 5, 4, "Notify Wait", 4), task(1280, 20, 6, 4, "SDMA", 4)])
    made_table(m, "COMPUTE_TASK_INFO", COMPUTE, [dict(name=m.text("aclnnAdd_Add"), globalTaskId=1, blockDim=32, opType=m.text("Add"),
                                                      inputDataTypes=m.text("FLOAT"), inputShapes=m.text('"2,3"'))])
    made_table(m, "COMMUNICATION_TASK_INFO", ["name", "globalTaskId", "taskType"], [dict(name=1, globalTaskId=5),
                                                                                    dict(name=1, globalTaskId=6)])
    m.db.execute("CREATE INDEX byTask ON COMMUNICATION_TASK_INFO (globalTaskId)")
    made_table(m, "COMMUNICATION_OP", COMM, [dict(opName=m.text("hcom_allReduce__1_0"), startNs=BASE + 1230, endNs=BASE + 1330,
                                                  connectionId=4, groupName=m.text("group_a"), opId=1, dataType=4,
                                                  algType=m.text("MESH"), count=1024, opType=m.text("hcom_allReduce_"))])
    made_table(m, "OP_MEMORY", NPU_MEMORY, [
        dict(size=512, allocationTime=BASE + 1000, releaseTime=BASE + 1300, allocationTotalAllocated=512, allocationTotalReserved=2048,
             releaseTotalAllocated=0, releaseTotalReserved=2048, deviceId=3),
        dict(size=64, allocationTime=BASE + 1350, allocationTotalAllocated=64, allocationTotalReserved=2048, deviceId=3)])
    made_table(m, "AICORE_FREQ", ["deviceId", "timestampNs", "freq"], [dict(deviceId=3, timestampNs=BASE + 1000, freq=1800)])
    made_table(m, "HBM", ["deviceId", "timestampNs", "bandwidth", "hbmId", "type"], [
        dict(deviceId=3, timestampNs=BASE + 1000, bandwidth=7, hbmId=1, type=m.text("read"))])
    made_table(m, "LLC", ["deviceId", "llcId", "timestampNs", "hitRate real", "throughput", "mode"], [
        dict(deviceId=3, llcId=0, timestampNs=BASE + 1000, hitRate=85.5, throughput=9, mode=m.text("read"))])
    made_table(m, "TASK_PMU_INFO", ["globalTaskId", "name", "value"], [dict(globalTaskId=1, name=1, value=2)] * 2)
    m.done("STRING_IDS")


def spoil(make, path, seed=1):
    """The same with values of other types, missing ones, and numbers of rows that are not there."""
    make(path)
    import sqlite3
    rng = random.Random(seed)
    db = sqlite3.connect(path, isolation_level=None)
    db.text_factory = bytes
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'").fetchall():
        table = table.decode()
        columns = [(r[1].decode(), r[5]) for r in db.execute("PRAGMA table_info(`%s`)" % table)]
        for (row,) in db.execute("SELECT _rowid_ FROM `%s`" % table).fetchall():
            column, key = rng.choice(columns)
            if not key and rng.random() < 0.5:
                value = rng.choice((None, "text", b"\xff\xfe", -(1 << 63), (1 << 63) - 1, 1.5, 1e300, "", 0, 1 << 33))
                db.execute("UPDATE `%s` SET `%s` = ? WHERE _rowid_ = ?" % (table, column), (value, row))
    db.close()


def random_rocpd(path, seed):
    """Processes use the same numbers; some work has no call."""
    rng = random.Random(seed)
    m = nsys.Made(path, rng.choice((512, 1024, 4096)))
    for n in range(rng.randrange(1, 4)):
        p = Rocpd(m, "_%d" % n, 100 + n, n)
        now = rng.randrange(1000, 2000)
        for stack in range(1, rng.randrange(20, 60)):
            now += rng.randrange(1, 100)
            dur = rng.randrange(10, 60)
            if rng.random() < 0.3:
                p.call(now - 1, dur + 2, stack + 1000, "roctxRangePushA", MARKER, '{"message": "range %d"}' % rng.randrange(4))
            if rng.random() < 0.9:
                p.call(now, dur, stack, "hipLaunchKernel")
            for _ in range(rng.choice((0, 1, 1, 3))):
                p.kernel(now + rng.randrange(5, 300), rng.randrange(1, 50), stack, rng.randrange(1, 3), rng.randrange(1, 3))
            if rng.random() < 0.2:
                p.copy(now + dur, 9, stack)
            now += dur
        p.done()
    m.db.execute("COMMIT")
    m.db.close()


def random_rpd(path, seed):
    rng = random.Random(seed)
    m = nsys.Made(path, rng.choice((512, 1024, 4096)))
    apis, ops, links, kernels = [], [], [], []
    now = 1000
    for n in range(1, rng.randrange(30, 120)):
        now += rng.randrange(1, 90)
        dur = rng.randrange(5, 60)
        pid = rng.randrange(70, 73)
        apis.append(dict(id=HIGH * 3 + n, pid=pid, tid=pid, start=now, end=now + dur, apiName_id=m.text("hipLaunchKernel"),
                         args_id=m.text("")))
        for _ in range(rng.choice((0, 1, 1, 2))):
            ops.append(dict(id=len(ops) + 1, gpuId=pid, queueId=rng.randrange(2), start=now + rng.randrange(300),
                            description_id=m.text("k%d" % rng.randrange(5)), opType_id=m.text("KernelExecution")))
            ops[-1]["end"] = ops[-1]["start"] + rng.randrange(1, 40)
            links.append(dict(api_id=HIGH * 3 + n, op_id=len(ops)))
        now += dur
    for rows in (apis, ops, links):
        rng.shuffle(rows)
    made_table(m, "rocpd_api", RPD_API, apis)
    made_table(m, "rocpd_op", RPD_OP, ops)
    made_table(m, "rocpd_api_ops", ["id integer primary key", "api_id", "op_id"], links)
    made_table(m, "rocpd_kernelapi", RPD_KERNEL, kernels)
    m.done("rocpd_string", "string")


def random_ascend(path, seed):
    rng = random.Random(seed)
    m = nsys.Made(path, rng.choice((512, 1024, 4096)))
    calls, tasks, compute = [], [], []
    now = 1000
    for n in range(1, rng.randrange(30, 120)):
        now += rng.randrange(1, 90)
        dur = rng.randrange(5, 60)
        calls.append(dict(startNs=now, endNs=now + dur, type=20000, globalTid=90 << 32 | 91, connectionId=n, name=m.text("launch")))
        if rng.random() < 0.8:
            tasks.append(dict(startNs=now + rng.randrange(300), deviceId=0, connectionId=n, globalTaskId=n, globalPid=90,
                              taskType=m.text("KERNEL_AIVEC"), streamId=rng.randrange(2), taskId=n))
            tasks[-1]["endNs"] = tasks[-1]["startNs"] + rng.randrange(1, 40)
            compute.append(dict(name=m.text("k%d" % rng.randrange(5)), globalTaskId=n))
        now += dur
    for rows in (calls, tasks, compute):
        rng.shuffle(rows)
    made_table(m, "CANN_API", API, calls)
    made_table(m, "TASK", TASK, tasks)
    made_table(m, "COMPUTE_TASK_INFO", COMPUTE, compute)
    m.done("STRING_IDS")


KINDS = {"rocpd": rocpd, "rocpd4": rocpd4, "rpd": lambda path: rpd_rows(path, 3), "rpd2": lambda path: rpd_rows(path, 2),
         "ascend": ascend}
SEEDED = {"random-rocpd": random_rocpd, "random-rpd": random_rpd, "random-ascend": random_ascend,
          "damaged-rocpd": lambda path, seed: spoil(rocpd, path, seed),
          "damaged-rpd": lambda path, seed: spoil(KINDS["rpd"], path, seed),
          "damaged-ascend": lambda path, seed: spoil(ascend, path, seed)}

if __name__ == "__main__":
    if len(sys.argv) in (3, 4) and sys.argv[1] in SEEDED:
        SEEDED[sys.argv[1]](sys.argv[2], int(sys.argv[3]) if len(sys.argv) == 4 else 1)
    elif len(sys.argv) == 3 and sys.argv[1] in KINDS:
        KINDS[sys.argv[1]](sys.argv[2])
    else:
        sys.exit(__doc__)
