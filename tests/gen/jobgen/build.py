# SPDX-License-Identifier: MIT
"""Programs from what a framework does: operators, modules, kernels with their costs, collectives, memory."""
import functools

from .draw import MASK, factors, mix
from .sim import BEGIN, BLOCKCOPY, END, JOIN, LAUNCH, MARK, SYNC, THREAD, WORK, Collective, Work

COMPUTE, COPY, REDUCE, GATHER, PEER, PEER2 = 7, 13, 20, 24, 28, 32     # streams

class Device:
    """What a device can do: TFLOP/s of bf16, GB/s of its memory, busbw inside a node and between nodes in GB/s."""

    def __init__(self, name, tflops, bandwidth, inside, between, sms, memory, capability):
        self.name, self.tflops, self.bandwidth, self.inside, self.between = name, tflops, bandwidth, inside, between
        self.sms, self.memory, self.capability = sms, memory, capability


DEVICES = {
    "h100": Device("NVIDIA H100 80GB HBM3", 989.4, 3350.0, 360.0, 180.0, 132, 85029158912, (9, 0)),
    "a100": Device("NVIDIA A100-SXM4-80GB", 312.0, 2039.0, 230.0, 90.0, 108, 85094432768, (8, 0)),
}

COLLECTIVES = {     # name of the metadata: annotation, operator, kernel, factor of bytes by group size
    "allreduce": ("nccl:all_reduce", "c10d::allreduce_", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
                  lambda n: 2.0 * (n - 1) / n),
    "_allgather_base": ("nccl:_all_gather_base", "c10d::_allgather_base_", "ncclDevKernel_AllGather_RING_LL",
                        lambda n: (n - 1) / n),
    "_reduce_scatter_base": ("nccl:_reduce_scatter_base", "c10d::_reduce_scatter_base_",
                             "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL", lambda n: (n - 1) / n),
    "all_to_allv": ("nccl:all_to_all", "c10d::alltoall_base_", "ncclDevKernel_SendRecv", lambda n: (n - 1) / n),
    "send": ("nccl:send", "c10d::send", "ncclDevKernel_SendRecv", lambda n: 1.0),
    "recv": ("nccl:recv", "c10d::recv_", "ncclDevKernel_SendRecv", lambda n: 1.0),
}
_ELEMENTWISE = ("void at::native::vectorized_elementwise_kernel<4, at::native::%s, std::array<char*, %dul> >"
                "(int, at::native::%s, std::array<char*, %dul>)")


def elementwise_name(functor, arrays):
    return _ELEMENTWISE % (functor, arrays, functor, arrays)


def dims_text(*dims):
    return "[" + ", ".join("[" + ", ".join(str(x) for x in d) + "]" if d is not None else "[]" for d in dims) + "]"


def op_args(dims, types=None, concrete=None):
    """The args of an operator as Kineto prints them: shapes, strides (dense), types, values."""
    return _op_args(tuple(dims), tuple(types or ()), tuple(concrete or ()))


@functools.lru_cache(maxsize=4096)
def _op_args(dims, types, concrete):
    strides = []
    for d in dims:
        s, out = 1, []
        for x in reversed(d or ()):
            out.append(s)
            s *= x
        strides.append(out[::-1])
    types = types or ["c10::BFloat16" if d else "Scalar" for d in dims]
    concrete = concrete or ["" if d else "1" for d in dims]
    quote = lambda xs: "[" + ", ".join('"%s"' % x for x in xs) + "]"
    return ('"Concrete Inputs": %s, "Input type": %s, "Input Strides": %s, "Input Dims": %s'
            % (quote(concrete), quote(types), dims_text(*strides), dims_text(*dims)))


class Group:
    """A process group: its members in order, its name, busbw in GB/s."""

    def __init__(self, name, description, members, busbw):
        self.name, self.description, self.members, self.busbw, self.seq = name, description, members, busbw, 0
        self.texts, self.open = {}, {}
        m = members
        self.ranks = "[" + ", ".join(map(str, m)) + "]" if len(m) <= 30 else \
            "[" + ", ".join(map(str, m[:29])) + ", ..., %d]" % m[-1]
        self.stride = m[1] - m[0] if len(m) > 1 else 1
        self.counts = {}

    def meta(self, name, n_in, n_out, split_in="[]", split_out="[]", seq=0, peer=""):
        return ('"Collective name": "%s", "Process Group Name": "%s", "Process Group Description": "%s", '
                '"Process Group Ranks": "%s", "Group size": %d, "Global rank start": %d, "Global rank stride": %d, '
                '"dtype": "BFloat16", "In msg nelems": %d, "Out msg nelems": %d, "In split size": "%s", '
                '"Out split size": "%s"%s%s'
                % (name, self.name, self.description, self.ranks, len(self.members), self.members[0], self.stride,
                   n_in, n_out, split_in, split_out, ', "Seq": %d' % seq if seq else "", peer))


class Builder:
    """The program of one rank.  `host` scales host times, `rate` the durations of compute kernels."""

    def __init__(self, job, rank, device_sigma, host_sigma):
        self.job, self.rank, self.dev = job, rank, job.device
        self.out, self.host, self.rate, self.slow = [], job.host_factor, 1.0, 0
        self.dtab, self.htab, self.state = factors(device_sigma), factors(host_sigma), 0
        self.step_number, self.seed = -1, job.seed
        self.args, self.extra = {}, {}
        self.gemm_rate, self.sequence = {}, 1000
        self.allocated, self.reserved, self.blocks, self.address = 0, 0, {}, 0x7F0000000000 + rank * 0x10000000

    # ---- draws and times ----

    def block(self, *place):
        """From here on, draws are those of this place."""
        self.state = mix(self.seed, self.rank, self.step_number, *place)

    def _factor(self, table):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & MASK
        return table[self.state >> 52]

    def h(self, ns):
        """Host time with jitter and factor."""
        return int(ns * self.host * self._factor(self.htab)) >> 20

    def d(self, ns):
        return max(900, int(ns * self._factor(self.dtab)) >> 20)

    # ---- host ----

    def begin(self, cat, name, args="", pre=2500):
        self.out.append((BEGIN, cat, name, args, self.h(pre)))

    def end(self, post=1200):
        self.out.append((END, self.h(post)))

    def op(self, name, args="", pre=2500):
        self.begin("cpu_op", name, args, pre + self.extra.get(name, 0))

    def module(self, name):
        if self.job.stacks:
            self.begin("python_function", name, "", 1500)

    def end_module(self):
        if self.job.stacks:
            self.end(600)

    def frame(self, name, ns):
        """A Python function that only costs host time."""
        self.begin("python_function", name, "", ns)
        self.end(300)

    def work(self, ns):
        self.out.append((WORK, self.h(ns)))

    def thread(self, number):
        self.out.append((THREAD, number, self.h(18000)))

    def mark(self, *what):
        self.out.append((MARK,) + what)

    def plain_op(self, name, args="", ns=2500):
        """An operator without device work."""
        self.op(name, args, ns)
        self.end(800)

    # ---- device ----

    def kernel(self, name, ns, grid, block=(256, 1, 1), registers=32, shared=0, stream=COMPUTE, call="cudaLaunchKernel",
               rated=True):
        w = Work("kernel", name, self.d(ns * self.rate if rated else ns), (grid, block, registers, shared))
        w.gap = 600 + (self.state >> 40) % 700
        w.slow = self.slow
        self.out.append((LAUNCH, call, stream, w, self.h(4200)))
        return w

    def gemm(self, op, m, n, k, batch=1, pre=6000):
        """A matrix product under its operator: [m, k] x [k, n]."""
        key = (op, m, n, k, batch)
        args = self.args.get(key)
        if args is None:
            if op == "aten::addmm":
                args = op_args([(n,), (m, k), (k, n), None, None], None, ["", "", "", "1", "1"])
            elif op == "aten::bmm":
                args = op_args([(batch, m, k), (batch, k, n)])
            else:
                args = op_args([(m, k), (k, n)])
            self.args[key] = args
        flop = 2.0 * batch * m * n * k
        ns = self.gemm_ns(flop, 2.0 * batch * (m * k + k * n + m * n)) * self.gemm_rate.get(op + self.where, 1.0)
        tiles = max(1, (m + 127) // 128) * max(1, (n + 127) // 128) * batch
        self.op(op, args, pre)
        self.kernel("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k"
                    "_off_kernel__5x_cublas"
                    if self.dev.capability[0] == 9 else "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x3_tn",
                    ns, (min(tiles, self.dev.sms), 1, 1), (384, 1, 1), 168, 213248, call="cudaLaunchKernelExC"
                    if self.dev.capability[0] == 9 else "cudaLaunchKernel")
        self.end()

    where = ""

    def gemm_ns(self, flop, size):
        return max(flop / (self.dev.tflops * self.job.gemm_eff) / 1e3, size / (self.dev.bandwidth * 0.88)) + 1500

    def bytes_ns(self, size):
        return size / (self.dev.bandwidth * 0.9) + 1200

    def pointwise(self, op, functor, shape, reads=1, writes=1, pre=3500, stream=COMPUTE):
        """An elementwise operator over bf16 tensors of one shape."""
        count = 1
        for x in shape:
            count *= x
        self.op(op, op_args([shape] * reads), pre)
        self.kernel(elementwise_name(functor, reads + writes), self.bytes_ns(2.0 * count * (reads + writes)),
                    (max(1, count // 512), 1, 1), (128, 1, 1), 28, stream=stream)
        self.end()

    def join(self, stream, other):
        self.out.append((JOIN, stream, other))

    def sync(self, call="cudaDeviceSynchronize", stream=None):
        self.out.append((SYNC, call, stream, self.h(3000)))

    def copy(self, size, kind, stream, rate, call="cudaMemcpyAsync", blocking=False):
        """A copy; `rate` in GB/s."""
        kinds = {"HtoD pinned": "Memcpy HtoD (Pinned -> Device)", "HtoD pageable": "Memcpy HtoD (Pageable -> Device)",
                 "DtoH pinned": "Memcpy DtoH (Device -> Pinned)", "DtoH pageable": "Memcpy DtoH (Device -> Pageable)"}
        w = Work("gpu_memcpy", kinds[kind], self.d(size / rate + 1500), size)
        w.gap = 700
        self.out.append((BLOCKCOPY if blocking else LAUNCH, call, stream, w, self.h(6000)))

    def item(self, frame=None):
        """`.item()`: a copy to the host and a wait for it."""
        if frame and self.job.stacks:
            self.begin("python_function", frame, "", 1000)
        self.op("aten::item", op_args([()], ["float"], [""]), 1500)
        self.op("aten::_local_scalar_dense", op_args([()], ["float"], [""]), 1500)
        self.copy(4, "DtoH pageable", COMPUTE, 10.0)
        self.sync("cudaStreamSynchronize", COMPUTE)
        self.end()
        self.end()
        if frame and self.job.stacks:
            self.end(300)

    def collective(self, name, group, n_in, n_out, stream, splits=None, factor=1.0, cost_in=None, after=COMPUTE,
                   peer=None):
        """A collective of bf16 elements: joined after what `after` has, on `stream`."""
        annotation, op, kernel, bytes_factor = COLLECTIVES[name]
        size = len(group.members)
        if size < 2:
            return
        tag = "send" if name in ("send", "recv") else name
        key = (tag, self.rank)
        count = group.counts[key] = group.counts.get(key, 0) + 1
        coll = group.open.get((tag, count))
        alone = self.job.cause.no_waits and tag == "send"
        if coll is None or alone:
            elements = max(n_in, n_out) if cost_in is None else cost_in
            ns = int(2.0 * elements * bytes_factor(size) / (group.busbw * factor)) + 9000 + 400 * min(size, 16)
            state = mix(self.seed, "coll", group.name, group.members[0], tag, count)
            coll = Collective(ns * self.dtab[state >> 52] >> 20, 1 if alone else size,
                              [(state >> (5 * i)) % 300 for i in range(8)])
            group.open[(tag, count)] = coll
        seq = count if self.job.sequence else 0
        if name not in ("send", "recv"):
            text = (name, n_in, n_out, splits, count)
            meta = group.texts.get(text)
            if meta is None:
                meta = group.texts[text] = group.meta(name, n_in, n_out, *(splits or ("[]", "[]")), seq=seq)
        else:
            meta = group.meta(name, n_in, n_out, seq=seq, peer=', "%s Rank": %d'
                              % ("Dst" if name == "send" else "Src", peer))
        self.op(op, "", 5000)
        self.begin("cpu_op", "record_param_comms", meta, 6000)
        if after is not None:
            self.join(stream, after)
        self.begin("user_annotation", annotation, "", 3000)
        channels = 16 if size > 2 else 8
        w = Work("kernel", kernel + "(ncclDevKernelArgsStorage<4096ul>)", 0, ((channels, 1, 1), (512, 1, 1), 96, 0),
                 meta, coll,
                 tag=self.rank)
        w.gap = 900
        self.out.append((LAUNCH, "cudaLaunchKernelExC", stream, w, self.h(6500)))
        self.end(1500)
        self.end(2500)
        self.end(1500)

    # ---- memory ----

    def alloc(self, key, size):
        if not self.job.memory:
            return
        size = (int(size) + 511) // 512 * 512
        self.address += size + 512
        self.blocks[key] = (self.address, size)
        self.allocated += size
        self.reserved = max(self.reserved, (self.allocated + (1 << 24)) >> 21 << 21)
        self._memory(self.address, size)

    def free(self, key):
        if not self.job.memory or key not in self.blocks:
            return
        address, size = self.blocks.pop(key)
        self.allocated -= size
        self._memory(address, -size)

    def _memory(self, address, size):
        self.mark("memory", size, (address, self.allocated, self.reserved))
