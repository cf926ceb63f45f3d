# SPDX-License-Identifier: MIT
"""Traces in XPlane made by hand, as the profilers of JAX write them for GPUs and TPUs.

Messages are lists of (number of the field, value) as in perfetto_made.py.
"""
import json
import zlib

from perfetto_made import Packed, encode


class Plane:
    """A plane: lines of events, whose names and stats get numbers here."""

    def __init__(self, name, ident=0, **own):
        self.name, self.ident, self.lines, self.kinds, self.names = name, ident, [], {}, {}
        self.own = self.stats(own)

    def number(self, name):
        return self.names.setdefault(name, len(self.names) + 1)

    def stats(self, values):
        """Fields of stats; a value ("ref", TEXT) is the name of a stat, bytes are bytes, ("z", TEXT) is compressed."""
        out = []
        for key, v in values.items():
            stat = [(1, self.number(key))]
            if isinstance(v, tuple) and v[0] == "ref":
                stat.append((7, self.number(v[1])))
            elif isinstance(v, tuple):
                stat.append((8, zlib.compress(v[1].encode())))
            else:
                field = {float: 2, int: 4, str: 5, bytes: 6}[type(v)]
                stat.append((field, v))
            out.append(stat)
        return out

    def kind(self, name, display="", **stats):
        """A kind of event; its stats hold for all events of it."""
        if name not in self.kinds:
            self.kinds[name] = len(self.kinds) + 1, display, self.stats(stats)
        return self.kinds[name][0]

    def line(self, ident, name, start_ns, events):
        """events: (name, offset in ps, duration in ps, stats)"""
        made = [[(1, self.kind(e[0])), (2, e[1]), (3, e[2])] + [(4, s) for s in self.stats(e[3])] for e in events]
        self.lines.append([(1, ident), (2, name), (3, start_ns)] + [(4, e) for e in made])

    def fields(self):
        kinds = [(4, [(1, n), (2, [(1, n), (2, name), (4, display)] + [(5, s) for s in stats])])
                 for name, (n, display, stats) in self.kinds.items()]
        names = [(5, [(1, n), (2, [(1, n), (2, name)])]) for name, n in self.names.items()]
        return ([(1, self.ident), (2, self.name)] + [(3, line) for line in self.lines] + kinds + names +
                [(6, s) for s in self.own])


def space(planes, hosts=(), errors=(), warnings=()):
    return encode([(1, p.fields() if isinstance(p, Plane) else p) for p in planes] + [(2, e) for e in errors] +
                  [(3, w) for w in warnings] + [(4, h) for h in hosts])


# ---- programs of XLA ----

F32, BF16, TUPLE = 11, 16, 13


def shape(kind, *dims):
    return [(2, kind), (3, Packed(dims))]


def instruction(ident, name, opcode, result, operands=(), *rest):
    return [(1, name), (2, opcode), (3, result), (35, ident), (36, Packed(operands))] + list(rest)


def program(ident, module, instructions, called=(), devices=()):
    """An entry of the plane /host:metadata.  called: (number, instructions) of other computations; devices: of replicas."""
    computations = [(3, [(1, "body.%d" % n), (5, n)] + [(2, i) for i in body]) for n, body in called]
    main = [(1, "main"), (5, 1)] + [(2, i) for i in instructions]
    assigned = [(15, [(1, len(devices)), (2, 1), (3, [(1, Packed(devices))])])] if devices else []
    hlo = encode([(1, [(1, module)] + computations + [(3, main)] + assigned)])
    return (4, [(1, ident), (2, [(1, ident), (2, "%s(%d)" % (module, ident)), (5, [(1, 1), (6, hlo)])])])


def programs(*entries):
    return [(2, "/host:metadata")] + list(entries) + [(5, [(1, 1), (2, [(1, 1), (2, "Hlo Proto")])])]


# ---- traces ----

def gpus():
    """Two GPUs of a host: two steps, each a fusion, a matrix product and an all-reduce on both."""
    groups = [(49, [(1, Packed([0, 1]))])]
    matmul = [(7, [(2, "jit(step)/dot_general"), (3, "train.py"), (4, 31)]), (28, "__cublas$gemm"), (43, b"{}")]
    module = program(5, "jit_step", [
        instruction(1, "arg0", "parameter", shape(BF16, 64, 128)),
        instruction(2, "arg1", "parameter", shape(BF16, 128, 256)),
        instruction(3, "fusion.1", "fusion", shape(BF16, 64, 128), [1]),
        instruction(4, "gemm.2", "custom-call", [(2, TUPLE), (4, shape(BF16, 64, 256)), (4, shape(F32, 8))], [3, 2], *matmul),
        instruction(5, "all-reduce.3", "all-reduce", shape(F32, 64, 256), [4], *groups),
        instruction(6, "all-gather.4", "all-gather", shape(F32, 8), [5],
                    (87, [(2, [(1, 2), (2, 2), (3, Packed([2, 2])), (4, Packed([1, 0]))])])),
    ])
    host = Plane("/host:CPU", 20)
    main = [("$train.py:12 main", 0, 9_000_000_123, {})]
    devices = []
    for d in range(2):
        p = Plane("/device:GPU:%d" % d, d, device_vendor="Nvidia", core_count=132, clock_rate=1980000)
        p.kind("fusion_1", "fusion", occupancy=0.5, note="of the kind")
        work, comm, api = [], [], []
        for step in range(2):
            at = step * 4_000_000_000 + d * 1_000
            op = dict(hlo_module=("ref", "jit_step"), program_id=5)
            n = 100 * step + 10 * d
            for k, (name, hlo, dur) in enumerate((("fusion_1", "fusion.1", 5_000_001), ("nvjet_gemm", "gemm.2", 7_000_999),
                                                  ("ncclDevKernel_AllReduce_Sum_f32", "all-reduce.3", 9_000_500))):
                start = at + 100_000_000 * (k + 1)
                stats = dict(op, correlation_id=n + k + 1, hlo_op=("ref", hlo),
                             kernel_details=("ref", "regs:32 static_shared:0 grid:%d,2,1 block:128,1,1 occ_pct:50" % (k + 1)))
                if hlo == "fusion.1":
                    stats["note"] = "its own"
                (comm if k == 2 else work).append((name, start, dur, stats))
                api.append(("cuLaunchKernel", start - 50_000_000, 3_000_000, dict(op, correlation_id=n + k + 1,
                                                                                  hlo_op=("ref", hlo))))
            work.append(("MemcpyH2D", at + 50_000_000, 2_000_000,
                         dict(correlation_id=n + 9, memcpy_details="kind_src:host kind_dst:device size:4096 dest:0 async:1")))
        p.line(13, "Stream #13(Compute,MemcpyH2D)", 1_000_000, work)
        p.line(17, "Stream #17(Compute)", 1_000_000, comm)
        p.line(1 << 40, "XLA Ops", 1_000_000, [("gemm.2", 200_000_000, 7_000_999, {})])
        host.line(-5 - d, "pool/%d" % (-5 - d), 1_000_000, api)
        devices.append(p)
    for step in range(2):
        main.append(("train", step * 4_000_000_000, 3_900_000_000, dict(step_num=step + 7, _r=1)))
    host.line(4242, "python3", 1_000_000, main)
    task = Plane("Task Environment", 30, profile_start_time=1_700_000_000_000_000_000)
    return [programs(module)] + devices + [host, task]


def tpu():
    """A TPU as its profiler writes it: what ran is the line XLA Ops; steps, modules and scopes are derived."""
    p = Plane("/device:TPU:0", 3, device_type_string="TPU v4", peak_teraflops_per_second=275.0)
    p.kind("%fusion.7 = bf16[8,128] fusion()", "fusion.7", hlo_category="convolution fusion", flops=2048,
           tf_op="jit(f)/dot", equation=("z", "a long text"), raw=b"\x00\x01")
    p.line(1, "Steps", 1_700_000_000_000_000_000, [("3", 0, 5_000_000, {}), ("4", 5_000_000, 5_000_000, {})])
    p.line(2, "XLA Modules", 1_700_000_000_000_000_000, [("jit_f(1)", 0, 5_000_000, {}), ("jit_f(1)", 5_000_000, 5_000_000, {})])
    p.line(3, "XLA Ops", 1_700_000_000_000_000_000,
           [("%fusion.7 = bf16[8,128] fusion()", 1_000_000, 3_000_250, dict(run_id=1)),
            ("%fusion.7 = bf16[8,128] fusion()", 6_000_000, 3_000_250, dict(run_id=2)),
            ("all-reduce.9", 9_500_000, 400_000, {})])
    p.line(5, "Async XLA Ops", 1_700_000_000_000_000_000, [("copy-start.2", 2_000_000, 1_000_000, {})])
    p.line(4, "Framework Name Scope", 1_700_000_000_000_000_000, [("jit(f)", 0, 9_000_000, {})])
    return [p]


# ---- collectives of several devices ----

STEPS = 40
NS = 1000  # ps

# hlo_op, kernel, type, bytes of an element, elements of the operand, groups
MESH = [
    ("all-reduce-start.1", "ncclDevKernel_AllReduce_Sum_f32", "all-reduce", 4, 1 << 20, [[0, 1, 2, 3]]),
    ("all-gather.2", "ncclDevKernel_AllGather", "all-gather", 2, 1 << 18, [[0, 2], [1, 3]]),
    ("reduce-scatter-start.3", "ncclDevKernel_ReduceScatter", "reduce-scatter", 4, 1 << 16, [[0, 1], [2, 3]]),
    ("collective-permute.4", "ncclDevKernel_SendRecv", "collective-permute", 2, 1 << 12, [[0, 1, 2, 3]]),
]


def mesh_program(devices=()):
    def groups(*lists):
        return (87, [(1, [(1, Packed(ids))]) for ids in lists])
    body = [instruction(21, "param.0", "parameter", shape(F32, 1 << 16)),
            instruction(22, "reduce-scatter.9", "reduce-scatter", shape(F32, 1 << 15), [21], groups([0, 1], [2, 3]))]
    return program(9, "jit_mesh", [
        instruction(1, "arg0", "parameter", shape(F32, 1 << 10, 1 << 10)),
        instruction(2, "arg1", "parameter", shape(BF16, 1 << 18)),
        instruction(3, "arg2", "parameter", shape(F32, 1 << 16)),
        instruction(4, "arg3", "parameter", shape(BF16, 64, 64)),
        instruction(5, "all-reduce-start.1", "all-reduce-start", shape(F32, 1 << 10, 1 << 10), [1],
                    (49, [(1, Packed([0, 1, 2, 3]))])),
        instruction(6, "all-reduce-done.1", "all-reduce-done", shape(F32, 1 << 10, 1 << 10), [5]),
        instruction(7, "all-gather.2", "all-gather", shape(BF16, 1 << 19), [2],
                    (87, [(2, [(1, 2), (2, 2), (3, Packed([2, 2])), (4, Packed([1, 0]))])])),
        instruction(8, "reduce-scatter-start.3", "async-start", [(2, TUPLE), (4, shape(F32, 1 << 16))], [3], (38, Packed([3]))),
        instruction(9, "reduce-scatter-done.3", "async-done", shape(F32, 1 << 15), [8]),
        instruction(10, "collective-permute.4", "collective-permute", shape(BF16, 64, 64), [4],
                    *[(52, [(1, n), (2, (n + 1) % 4)]) for n in range(4)]),
    ], [(3, body)], devices)


def mesh(chance, per_host, clock_ns=0, device_of=(0, 1, 2, 3)):
    """Four devices, per_host on each host; the clock of the last host is clock_ns ahead.  Participant n of the program
    runs on device_of[n].  Gives the planes of each host, and (type, members) of each collective; a member is (device,
    start, duration in ns), in the time of the first host."""
    hosts, truth = 4 // per_host, []
    work = [{} for _ in range(4)]
    free = [1_000_000] * 4
    for _ in range(STEPS):
        for k, (op, kernel, kind, _, elements, groups) in enumerate(MESH):
            for group in groups:
                devices = sorted(device_of[n] for n in group)
                starts = {d: free[d] + chance.randint(1_000, 60_000) for d in devices}
                last = max(starts.values()) + 5_000 + elements // 100
                members = []
                for d in devices:
                    end = last + (chance.randint(0, 4_000) if kind == "collective-permute" else 0)
                    members.append((d, starts[d], end - starts[d]))
                    work[d].setdefault(13 + k % 2, []).append((op, kernel, starts[d], end - starts[d]))
                    free[d] = end
                truth.append((kind, members))
    files = []
    for h in range(hosts):
        planes = [programs(mesh_program(() if tuple(device_of) == (0, 1, 2, 3) else device_of))]
        for local in range(per_host):
            p = Plane("/device:GPU:%d" % local, local)
            for stream, events in work[h * per_host + local].items():
                p.line(stream, "Stream #%d(Compute)" % stream, 1_000_000_000 + (clock_ns if h == hosts - 1 else 0),
                       [(kernel, start * NS, dur * NS, dict(hlo_op=("ref", op), hlo_module=("ref", "jit_mesh"), program_id=9))
                        for op, kernel, start, dur in events])
            planes.append(p)
        files.append(planes)
    return files, truth


def tpu_async():
    """Two chips: an all-reduce that ends elsewhere than it begins, beside a fusion."""
    module = program(4, "jit_g", [
        instruction(1, "arg0", "parameter", shape(F32, 256)),
        instruction(2, "all-reduce-start.5", "all-reduce-start", shape(F32, 256), [1], (49, [(1, Packed([6, 7]))])),
        instruction(3, "fusion.6", "fusion", shape(F32, 256), [1]),
        instruction(4, "all-reduce-done.5", "all-reduce-done", shape(F32, 256), [2])])
    planes = [programs(module)]
    for d in range(2):
        p = Plane("/device:TPU:%d" % d, d, global_chip_id=6 + d)
        for name in ("all-reduce-start.5", "fusion.6", "all-reduce-done.5"):
            p.kind(name, program_id=4)
        p.line(3, "XLA Ops", 1_000_000_000, [("all-reduce-start.5", 1_000_000 + d * 50_000, 20_000, {}),
                                              ("fusion.6", 1_100_000, 500_000, {}),
                                              ("all-reduce-done.5", 1_700_000, 300_000, {})])
        p.line(5, "Async XLA Ops", 1_000_000_000, [("all-reduce-start.5", 1_000_000 + d * 50_000, 1_000_000 - d * 50_000, {})])
        planes.append(p)
    return planes


# ---- what operations cost ----

def gemm_config(a, b, batch=(), beta=0, epilogue="DEFAULT"):
    return (43, json.dumps({"operation_queue_id": "0", "gemm_backend_config": {
        "alpha_real": 1, "beta": beta, "epilogue": epilogue, "dot_dimension_numbers": {
            "lhs_contracting_dimensions": [str(n) for n in a], "rhs_contracting_dimensions": [str(n) for n in b],
            "lhs_batch_dimensions": [str(n) for n in batch], "rhs_batch_dimensions": [str(n) for n in batch]}}}).encode())


def window(*dims):
    """dims: (size, stride, padding, dilation, dilation of the input)"""
    return (15, [(1, [(1, s), (2, stride), (3, pad), (4, pad), (5, dil), (6, base)]) for s, stride, pad, dil, base in dims])


def numbers(x, w, y):
    """Dimension numbers of a convolution, from strings as "bf01", "oi01", "bf01"."""
    def space(text):
        return Packed([text.index(str(k)) for k in range(len(text) - 2)])
    return (16, [(7, x.index("b")), (8, x.index("f")), (11, space(x)), (3, w.index("i")), (4, w.index("o")), (6, space(w)),
                 (9, y.index("b")), (10, y.index("f")), (12, space(y))])


def costs():
    """One operation of each kind on a GPU, the fourth with two kernels; and what each costs: family, operations, bytes."""
    scores = {"intermediate_tensor_shape": {"element_type": "BF16", "dimensions": ["2", "8", "128", "256"]}}
    call = dict(gemm="__cublas$gemm", lt="__cublas$lt$matmul", conv="__cudnn$convForward", bias="__cudnn$convBiasActivationForward",
                back="__cudnn$convBackwardInput", weight="__cudnn$convBackwardFilter", fmha="__cudnn$fmhaSoftmax",
                fmhab="__cudnn$fmhaSoftmaxBackward")

    def fmha(mask):
        return (43, json.dumps({"cudnn_fmha_backend_config": dict(scores, mask_type=mask)}).encode())

    def custom(ident, name, kind, result, operands, *rest):
        return instruction(ident, name, "custom-call", result, operands, (28, call[kind]), *rest)

    parameters = [instruction(n, "p.%d" % n, "parameter", s) for n, s in (
        (1, shape(BF16, 4, 64, 32)), (2, shape(BF16, 4, 32, 48)), (3, shape(F32, 64, 32)), (4, shape(F32, 32, 16)),
        (5, shape(BF16, 2, 8, 10, 12)), (6, shape(BF16, 6, 4, 3, 3)), (7, shape(BF16, 2, 6, 5, 6)), (8, shape(F32, 7)),
        (9, shape(BF16, 2, 128, 8, 64)), (10, shape(BF16, 2, 256, 2, 64)), (11, shape(BF16, 2, 256, 2, 96)),
        (12, shape(F32, 3, 5)), (13, shape(F32, 5, 9)), (14, shape(F32, 1, 6, 4)), (15, shape(F32, 2, 6, 3)))]
    grouped = [window((3, 2, 1, 1, 1), (3, 2, 1, 1, 1)), numbers("bf01", "oi01", "bf01"), (50, 2)]
    body = [instruction(31, "q.0", "parameter", shape(F32, 3, 5)), instruction(32, "q.1", "parameter", shape(F32, 5, 9)),
            instruction(33, "dot.0", "dot", shape(F32, 3, 9), [31, 32], (30, [(1, Packed([1])), (2, Packed([0]))]))]
    two = body + [instruction(34, "dot.00", "dot", shape(F32, 3, 9), [31, 32], (30, [(1, Packed([1])), (2, Packed([0]))]))]
    two = [[(n, v + 20 if n == 35 else Packed([k + 20 for k in v]) if n == 36 else v + "x" if n == 1 else v) for n, v in i]
           for i in two]
    operations = [
        custom(101, "gemm.1", "gemm", [(2, TUPLE), (4, shape(BF16, 4, 64, 48)), (4, shape(6, 99))], [1, 2],
               gemm_config([2], [1], [0])),
        custom(102, "gemm.2", "lt", shape(F32, 64, 16), [3, 4], gemm_config([1], [0], epilogue="BIAS")),
        custom(103, "gemm.3", "gemm", shape(F32, 64, 16), [3, 4], gemm_config([1], [0], beta=1)),
        custom(104, "conv.4", "conv", [(2, TUPLE), (4, shape(BF16, 2, 6, 5, 6)), (4, shape(6, 9))], [5, 6], *grouped),
        custom(105, "conv.5", "bias", [(2, TUPLE), (4, shape(BF16, 2, 6, 5, 6)), (4, shape(6, 9))], [5, 6, 8], *grouped),
        custom(106, "conv.6", "back", [(2, TUPLE), (4, shape(BF16, 2, 8, 10, 12)), (4, shape(6, 9))], [7, 6], *grouped),
        custom(107, "conv.7", "weight", [(2, TUPLE), (4, shape(BF16, 6, 4, 3, 3)), (4, shape(6, 9))], [5, 7], *grouped),
        custom(108, "fmha.8", "fmha", [(2, TUPLE), (4, shape(BF16, 2, 128, 8, 96))], [9, 10, 11], fmha("NO_MASK")),
        custom(109, "fmha.9", "fmhab", [(2, TUPLE), (4, shape(BF16, 2, 128, 8, 64))], [9, 10, 11], fmha("CAUSAL")),
        instruction(110, "dot.10", "dot", shape(F32, 3, 9), [12, 13], (30, [(1, Packed([1])), (2, Packed([0]))])),
        instruction(111, "gemm_fusion.11", "fusion", shape(BF16, 3, 9), [12, 13], (38, Packed([3]))),
        instruction(112, "two_dots.12", "fusion", shape(BF16, 3, 9), [12, 13], (38, Packed([4]))),
        instruction(113, "convolution.13", "convolution", shape(F32, 3, 9), [12, 13], window(), numbers("bf", "io", "bf")),
        instruction(114, "convolution.14", "convolution", shape(F32, 1, 2, 9), [14, 15], window((3, 1, 2, 1, 2)),
                    numbers("bf0", "oi0", "bf0")),
        custom(115, "gemm.15", "gemm", shape(F32, 64, 16), [3, 4], (43, b"{\"gemm_backend_config\":")),
        custom(116, "gemm.16", "gemm", shape(F32, 64, 16), [3, 4], gemm_config([1], [7])),
        custom(117, "gemm.17", "gemm", shape(F32, 64, 16), [3, 99], gemm_config([1], [0])),
    ]
    pairs = 128 * 128 // 2  # causal of cuDNN: the first query has the first key, so the keys after the 128th have no query
    conv = 2 * 2 * 6 * 4 * 9 * 5 * 6
    moved = 2 * (2 * 8 * 10 * 12 + 6 * 4 * 9 + 2 * 6 * 5 * 6)
    places = sum(1 for y in range(9) for f in range(3) if (y + f - 2) >= 0 and (y + f - 2) % 2 == 0 and (y + f - 2) // 2 < 4)
    truth = {
        "gemm.1": ("gemm", 4 * 2 * 64 * 48 * 32, 2 * 4 * (64 * 32 + 32 * 48 + 64 * 48)),
        "gemm.2": ("gemm", 2 * 64 * 16 * 32 + 64 * 16, 4 * (64 * 32 + 32 * 16 + 2 * 64 * 16)),
        "gemm.3": ("gemm", 2 * 64 * 16 * 32 + 64 * 16, 4 * (64 * 32 + 32 * 16 + 2 * 64 * 16)),
        "conv.4": ("conv_fwd", conv, moved),
        "conv.5": ("conv_fwd", conv + 2 * 6 * 5 * 6, moved + 2 * 6),
        "conv.6": ("conv_bwd", conv, moved),
        "conv.7": ("conv_bwd", conv, moved),
        "fmha.8": ("sdpa_fwd", 2 * 2 * 8 * 128 * 256 * (64 + 96), 2 * 2 * (128 * 8 + 256 * 2) * (64 + 96)),
        "fmha.9": ("sdpa_bwd", 2 * 2 * 8 * pairs * (3 * 64 + 2 * 96),
                   2 * 2 * (128 * 8 * (2 * 64 + 96) + 2 * 256 * 2 * (64 + 96))),
        "dot.10": ("gemm", 2 * 3 * 9 * 5, 4 * (3 * 5 + 5 * 9 + 3 * 9)),
        "gemm_fusion.11": ("gemm", 2 * 3 * 9 * 5, 4 * (3 * 5 + 5 * 9 + 3 * 9)),
        "convolution.13": ("gemm", 2 * 3 * 9 * 5, 4 * (3 * 5 + 5 * 9 + 3 * 9)),
        "convolution.14": ("conv_fwd", 2 * 1 * 2 * 6 * places, 4 * (6 * 4 + 2 * 6 * 3 + 2 * 9)),
    }
    names = [dict(i)[1] for i in operations]
    module = program(9, "jit_costs", parameters + operations, [(3, body), (4, two)])
    gpu, host = Plane("/device:GPU:0", 1), Plane("/host:CPU", 2)
    work, api = [], []
    at, correlation = 0, 0
    for _ in range(3):
        for name in names:
            for kernel in ("prepare", "compute") if name == "conv.4" else ("compute",):
                at, correlation = at + 10_000_000, correlation + 1
                stats = dict(hlo_op=("ref", name), hlo_module=("ref", "jit_costs"), program_id=9, correlation_id=correlation)
                work.append((kernel, at + 4_000_000, 2_000_000, stats))
                api.append(("cuLaunchKernel", at, 1_000_000, stats))
    gpu.line(7, "Stream #7(Compute)", 1_000_000, work)
    host.line(1, "launches", 1_000_000, api)
    return [programs(module), gpu, host], truth, names


def runs(n, kernels, launched=True, spans=True, lost=0):
    """A program with one product of matrices, n runs of these kernels on each of two GPUs at a time, a line for each.
    As on AMD: launches are below no span, and runs are spans of other lines; the first runs of the GPUs do not overlap.
    lost: so many kernels of each GPU came before the trace."""
    module = program(6, "jit_one", [
        instruction(1, "arg0", "parameter", shape(BF16, 32, 16)),
        instruction(2, "arg1", "parameter", shape(BF16, 16, 8)),
        instruction(3, "gemm.3", "custom-call", [(2, TUPLE), (4, shape(BF16, 32, 8)), (4, shape(6, 8))], [1, 2],
                    (28, "__cublas$gemm"), gemm_config([1], [0]))])
    host, devices, correlation = Plane("/host:CPU", 20), [], 0
    for d in range(2):
        work, api, line = [], [], []
        for run in range(n):
            at = run * 100_000_000 + d * (20_000_000 if run else 1_000_000) + (n * 100_000_000 if run else 0)
            line.append(("GpuExecutable::ExecuteThunks", at, 90_000_000 if run else 800_000, dict(module_name="jit_one")))
            for k, kernel in enumerate(kernels):
                correlation += 1
                stats = dict(hlo_op=("ref", "gemm.3"), hlo_module=("ref", "jit_one"), program_id=6, correlation_id=correlation)
                api.append(("hipModuleLaunchKernel", at + 100_000 * (k + 1), 50_000, stats))
                work.append((kernel, at + 40_000_000 + 2_000_000 * k, 1_000_000, stats))
        p = Plane("/device:GPU:%d" % d, d)
        p.line(3, "Stream #3(Compute)", 1_000_000, work[lost:])
        host.line(500 + d, "", 1_000_000, api if launched else [])
        host.line(-7 - d, "pool", 1_000_000, line if spans else [])
        devices.append(p)
    return [programs(module)] + devices + [host]
