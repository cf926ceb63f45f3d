# SPDX-License-Identifier: MIT
"""Families of jobs: how ranks share the work of a model, step by step."""
from .build import COMPUTE, COPY, DEVICES, GATHER, PEER, PEER2, REDUCE, Builder, Group, op_args
from .draw import Draw
from .models import Convolutions, Experts, Layers, decode_graph, optimizer
from .sim import BEGIN, CALL, END, EVENT, GRAPH, LAUNCH, LOAD, STALL, WORK, Loader

WARM = 2            # steps before the window


class Cause:
    """What faults change; these are the values of a job without any."""

    def __init__(self):
        self.host = {}                  # rank: factor of host times
        self.host_op = None             # operator, further ns of each call
        self.host_frame = None          # Python function, ns, once a step
        self.load = None                # kind, {rank: ns} or ns for all
        self.items = None               # places a step, ns of host work after each, waits at all
        self.item_kind = "item"
        self.pageable = None            # bytes a step, blocking
        self.offload = None             # what the host keeps, bytes of each copy, hidden
        self.tiny = None                # kernels a step, fused, place
        self.defer = 0.0                # share of the buckets that are reduced after the backward pass
        self.net, self.prefetch = 1.0, 1.0   # factor of busbw; share of layers whose weights are gathered in time
        self.device = {}                # rank: factor of kernel durations
        self.spread, self.share = None, None  # spread of tokens over ranks; of tokens over experts
        self.link = {}                  # first member of a group: factor of its busbw
        self.microbatches, self.stages = None, None
        self.no_waits = False           # stages have their input in time
        self.leak, self.fragments = 0, 0     # bytes a step
        self.recompute, self.chains = 0, 0   # layers; places
        self.gemm = {}                  # operator and place: factor of the duration
        self.slow = None                # first step, last step, factor
        self.drift = None               # kind, growth a step
        self.warm = None                # steps, ns of host work in each, factor of kernels
        self.stalls = None              # a step, ns of each, factor of host times
        self.graphs_lost, self.work_lost = 0.0, 0.0     # share of graphs without kernels; of work that is missing
        self.breaks = None              # a step, ns of each


class Job:
    """Options of a job; what is not given is drawn from the seed."""

    def __init__(self, family, ranks, seed, steps=6, device=None, model=None):
        d = Draw(seed, "job", family, ranks)
        self.family, self.ranks, self.seed, self.steps = family, ranks, seed, steps
        self.device_name = device or ("h100" if d.chance(0.75) else "a100")
        self.device = DEVICES[self.device_name]
        big = ranks > 16
        self.model = model or ("conv" if family in ("single", "ddp") and d.chance(0.25) else "transformer")
        self.layers = d.pick((3, 4)) if big else d.pick((4, 5, 6))
        self.hidden = d.pick((1536, 2048, 2560))
        self.hidden *= 2 if family == "tp" else 1
        self.ffn = 4 * self.hidden
        self.seq = d.pick((1024, 2048))
        # Enough work for each rank to hide what ranks exchange.
        self.tokens = {"single": 4096, "compiled": 8192, "ddp": 8192, "moe": 16384, "pp": 4096,
                       "infer": 4096}.get(family, 16384)
        if ranks > 8:
            self.tokens *= 2
        self.vocabulary = d.pick((8192, 12288))
        self.batch = d.pick((64, 96)) * (2 if ranks == 1 else 4 if ranks <= 8 else 8)
        self.conv_blocks = 8 if big else 14
        self.gemm_eff = d.between(0.70, 0.76) if self.device_name == "h100" else d.between(0.80, 0.86)
        self.host_ratio = d.between(0.35, 0.6)
        self.device_sigma, self.host_sigma = d.between(0.01, 0.03), d.between(0.04, 0.10)
        self.stacks, self.memory = d.chance(0.7) and not big, d.chance(0.6) and not big
        self.mid_start, self.whole_us = d.chance(0.3), d.chance(0.1)
        self.clock_per_node, self.flows = d.chance(0.4), not big
        self.counters = d.chance(0.25)
        self.sequence = not self.whole_us and d.chance(0.7)
        self.first_step = d.pick((3, 10, 101))
        self.stage_count, self.microbatches = 2, 56
        self.shard = max(2, min(8, ranks // 2)) if family == "hsdp" else ranks
        self.host_factor, self.step_guess, self.cause, self.reference = 1.0, 20_000_000, Cause(), False
        self.host_limit = 3.0
        self.infer_tokens, self.context = d.pick((16, 32, 64)), d.pick((1024, 2048))

    def calibrate(self):
        """Host times such that the launching thread needs `host_ratio` of the device's time."""
        saved, self.cause = self.cause, Cause()
        self.host_factor = 1.0
        shared = {}
        program, _ = build(self, 0, shared, only_step=1)
        device = sum(w.dur for i in program if i[0] == LAUNCH for w in (i[3],)) + \
            sum(w.dur + w.gap for i in program if i[0] == GRAPH for w in i[3])
        host = 0
        for i in program:
            if i[0] == WORK or i[0] == END:
                host += i[1]
            elif i[0] in (BEGIN, LAUNCH, GRAPH):
                host += i[4]
        self.host_factor = min(self.host_limit, max(0.3, self.host_ratio * device / max(1, host)))
        self.step_guess = device
        self.cause = saved


def groups(job, shared):
    """The process groups of the job by the rank that asks."""
    if "world" in shared:
        return shared
    n, dev = job.ranks, job.device
    busbw = dev.inside if n <= 8 else dev.between
    shared["world"] = Group("0", "default_pg", list(range(n)), busbw * job.cause.net)
    shared["list"] = [shared["world"]]
    number = 1

    def mesh(key, name, members, bandwidth):
        nonlocal number
        g = Group(str(number), name, members, bandwidth * job.cause.net * job.cause.link.get((key, members[0]), 1.0))
        number += 1
        for m in members:
            shared[(key, m)] = g
        shared["list"].append(g)

    if job.family == "hsdp":
        for first in range(0, n, job.shard):
            mesh("shard", "mesh_shard", list(range(first, first + job.shard)), dev.inside)
        for k in range(job.shard):
            mesh("replicate", "mesh_replicate", list(range(k, n, job.shard)), dev.inside if n <= 8 else dev.between)
    elif job.family == "tp":
        size = min(4, n if n < 4 or job.reference != "link" else n // 2)
        for first in range(0, n, size):
            mesh("tensor", "mesh_tp", list(range(first, first + size)), dev.inside)
        for k in range(size if n > size else 0):
            mesh("data", "mesh_dp", list(range(k, n, size)), dev.inside if n <= 8 else dev.between)
    elif job.family == "moe":
        size = min(8, n if n < 4 else n // 2) if job.cause.link or job.reference == "link" else min(8, n)
        for first in range(0, n, size):
            mesh("expert", "mesh_ep", list(range(first, first + size)), dev.inside)
    elif job.family == "pp":
        stages = job.stage_count
        for k in range(n // stages):
            for s in range(stages - 1):
                mesh(("pair", s), "mesh_pp", [k * stages + s, k * stages + s + 1], dev.inside)
        for s in range(stages):
            if n // stages > 1:
                mesh("data", "mesh_dp", list(range(s, n, stages)), dev.inside if n <= 8 else dev.between)
    return shared


def build(job, rank, shared, only_step=None):
    """The program of a rank and its loader."""
    groups(job, shared)
    b = Builder(job, rank, job.device_sigma, job.host_sigma)
    c = job.cause
    if c.host_op:
        b.extra[c.host_op[0]] = c.host_op[1] / job.host_factor
    b.gemm_rate = c.gemm
    step = FAMILIES[job.family](job, b, shared)
    base_host = job.host_factor * c.host.get(rank, 1.0) * (c.stalls[2] if c.stalls else 1.0)
    base_rate = c.device.get(rank, 1.0)
    if only_step is not None:
        b.step_number = only_step
        b.block("step")
        step.run(only_step)
        return b.out, None
    persistent(b)
    for number in range(-WARM, job.steps):
        b.step_number = number
        b.block("step")
        b.host, b.rate, b.slow = base_host, base_rate, 0
        if number == 0:
            if not job.mid_start:
                b.sync("cudaDeviceSynchronize")
            b.mark("window", 0, None)
            if not job.mid_start:
                b.sync("cudaDeviceSynchronize")
        if c.warm and 0 <= number < c.warm[0]:
            b.rate *= c.warm[2]
        step.base_rate = b.rate
        name = step_name(job, number)
        b.begin("user_annotation", name, "", 2000)
        b.mark("step", number if number >= 0 else -1, name)
        step.run(number)
        b.mark("step_end", number if number >= 0 else -1, None)
        b.end(0)
    b.mark("window_end", 0, None)
    b.sync("cudaDeviceSynchronize")
    return b.out, step.loader


def prefill(number):
    """Whether a step of an inference job reads prompts; the others decode."""
    return number % 4 == 0


def step_name(job, number):
    """The annotation of a step."""
    if job.family != "infer":
        return "ProfilerStep#%d" % (job.first_step + number)
    if prefill(number):
        return "execute_context_1(%d)_generation_0(0)" % job.tokens
    return "execute_context_0(0)_generation_%d(%d)" % (job.infer_tokens, job.infer_tokens)


def persistent(b):
    """Weights, gradients and moments, allocated before the window."""
    b.alloc("weights", 9e9)


class Step:
    """A training step: batch, forward, backward, optimizer; families say what ranks exchange where."""

    def __init__(self, job, b, shared):
        self.job, self.b, self.shared, self.cause = job, b, shared, job.cause
        self.world = shared["world"]
        self.base_rate = 1.0
        c = job.cause
        self.period = int(job.step_guess * 0.35)
        if c.load and c.load[0] == "workers":
            self.period = c.load[1].get(b.rank, self.period) if isinstance(c.load[1], dict) else c.load[1]
        draw = Draw(job.seed, "loader", b.rank)
        self.loader = Loader([int(self.period * draw.between(0.97, 1.03)) for _ in range(job.steps + WARM + 1)])
        self.sites = 0

    # ---- places where faults act ----

    def tokens(self):
        """This rank's tokens in this step: even, or drawn around the mean."""
        job, b, c = self.job, self.b, self.cause
        if not c.spread:
            return job.tokens
        n = job.ranks
        draw = Draw(job.seed, "spread", b.step_number)
        xs = [draw.between(-1.0, 1.0) for _ in range(n)]
        mean = sum(xs) / n
        top = max(abs(x - mean) for x in xs)
        return max(64, int(job.tokens * (1.0 + c.spread * (xs[b.rank] - mean) / top)) // 16 * 16)

    def clock(self, place):
        """The device's clock from here on: place is 0 (forward) to 2 (end of backward)."""
        c, b = self.cause, self.b
        b.rate, b.slow = self.base_rate, 0
        if c.slow:
            first, last, factor = c.slow
            n = b.step_number
            if first < n <= last or (n == first and place >= 1):
                b.rate, b.slow = self.base_rate * factor, 1

    def batch(self):
        """The next batch and its copy to the device."""
        b, c, job = self.b, self.cause, self.job
        b.block("batch")
        main = c.load and c.load[0] == "main"
        b.begin("user_annotation", "enumerate(DataLoader)#_%sDataLoaderIter.__next__"
                % ("SingleProcess" if main else "MultiProcessing"),
                "", 9000)
        if main:
            ns = c.load[1].get(b.rank, 200000) if isinstance(c.load[1], dict) else c.load[1]
            if job.stacks:
                b.begin("python_function", "torch/utils/data/_utils/fetch.py(47): fetch", "", 3000)
            for part in range(4):
                b.plain_op(("aten::stack", "aten::cat", "aten::div_", "aten::copy_")[part], "", int(ns / 4 / b.host))
            if job.stacks:
                b.end()
        else:
            b.out.append((LOAD, b.h(4000)))
        b.end(3000)
        size = job.tokens * 8 if not self.conv() else job.batch * 3 * 224 * 224     # images as bytes
        ahead, blocking = self.conv(), False
        if c.pageable:
            size, blocking = c.pageable
        for name in ("aten::to", "aten::_to_copy", "aten::copy_"):
            b.op(name, op_args([(size // 8,)], ["long int"], [""]), 2500)
        if blocking:
            b.copy(size, "HtoD pageable", COMPUTE, 12.0, blocking=True)
            b.sync("cudaStreamSynchronize", COMPUTE)
        else:
            b.copy(size, "HtoD pinned", COPY if c.pageable or ahead else COMPUTE, 50.0)
        for _ in range(3):
            b.end()
        if (c.pageable or ahead) and not blocking:
            b.join(COMPUTE, COPY)

    def offloaded(self, kind, i, stream):
        """A copy of what the host keeps for layer i; wherever it stands, all other draws are the same."""
        b, state, size = self.b, self.b.state, self.cause.offload[1]
        b.block(kind, i)
        b.op("aten::copy_", op_args([(size // 2,)] * 2), 3000)
        b.copy(size, kind, stream, 50.0)
        b.end()
        b.state = state

    def fetch(self, i, following, end):
        """What layer i needs comes from the host, if i is from 1 to before end: now, or it was copied while the layer
        before computed, as that of the following one is from here on.  The first layer is whole on the device."""
        if not self.cause.offload[2]:
            if 0 < i < end:
                self.offloaded("HtoD pinned", i, COMPUTE)
            return
        self.b.join(COMPUTE, COPY)
        if 0 < following < end:
            self.offloaded("HtoD pinned", following, COPY)

    def store(self, i):
        """The activations of layer i go to the host, now or while the next one computes; those of the last one stay."""
        offload = self.cause.offload
        if offload and offload[0] == "activations" and 0 < i < self.job.layers - 1:
            if offload[2]:
                self.b.join(COPY, COMPUTE)
            self.offloaded("DtoH pinned", i, COPY if offload[2] else COMPUTE)

    def site(self):
        """A place between layers: the program looks at a value, or a profiler keeps the thread."""
        b, c = self.b, self.cause
        k = self.sites
        self.sites += 1
        if c.items and k < c.items[0]:
            b.block("item", k)
            if c.items[2]:
                if self.cause.item_kind == "item":
                    b.item("train.py(88): log_metrics")
                else:
                    b.frame("torch/cuda/__init__.py(1085): synchronize", 4000) if self.job.stacks else None
                    b.sync("cudaDeviceSynchronize")
            b.plain_op("aten::detach", "", 2500)
            b.begin("user_annotation", "log_metrics", "", 2000)
            b.out.append((WORK, int(c.items[1])))
            b.end()
        if c.stalls and b.step_number >= 0 and k < c.stalls[0]:
            b.op("aten::empty", "", 2000)
            b.out.append((STALL, "Activity Buffer Request", int(c.stalls[1])))
            b.end()
        if c.warm and 0 <= b.step_number < c.warm[0]:
            b.block("warm", k)
            for _ in range(2):
                b.op("aten::empty", "", 2000)
                b.out.append((CALL, "cudaMalloc", int(c.warm[1] / 2 / self.site_count())))
                b.end()

    def site_count(self):
        return self.job.layers

    def start(self):
        b, c = self.b, self.cause
        self.sites = 0
        self.clock(0)
        self.batch()
        b.block("start")
        if c.host_frame:
            b.begin("python_function", c.host_frame[0], "", 1000)
            b.out.append((WORK, int(c.host_frame[1])))
            b.end(300)

    def settle(self):
        """Where the profiler starts amid the work: the host is not far ahead then."""
        if self.job.mid_start and self.b.step_number == -1:
            self.b.sync()

    def layer_stack(self):
        job, b, c = self.job, self.b, self.cause
        layers = Layers(b, self.tokens(), job.seq, job.hidden, job.ffn)
        if c.drift and c.drift[0] == "device":
            layers.attn_rate = 1.0 + c.drift[1] * max(0, b.step_number)
        if c.drift and c.drift[0] == "host":
            b.host *= 1.0 + c.drift[1] * max(0, b.step_number)
        return layers

    def finish(self, params):
        b, c, job = self.b, self.cause, self.job
        self.clock(2)
        if c.tiny and c.tiny[2] == "optimizer":
            b.block("tiny")
            b.begin("user_annotation", "Optimizer.step#AdamW.step", "", 5000)
            Layers(b, 1, 1, job.hidden, 1).tiny(c.tiny[0], c.tiny[1], 2048)
            b.end()
        b.block("optimizer")
        optimizer(b, params)
        b.free("input")
        if c.leak and b.step_number >= 0:
            for k in range(4):
                b.alloc(("leak", b.step_number, k), c.leak / 4)
        if c.fragments and b.step_number >= 0:
            b.reserved += int(c.fragments) >> 21 << 21
            b.alloc(("frag", b.step_number), 1 << 20)
            b.free(("frag", b.step_number))

    def layer_params(self):
        h, f = self.job.hidden, self.job.ffn
        return 4 * h * h, 2 * h * f          # attention, feed forward

    def chain(self, k):
        return k < self.cause.chains

    def tiny_here(self, layers, i):
        c, n = self.cause, self.job.layers
        if c.tiny and c.tiny[2] == "forward":
            layers.b.block("tiny", i)
            layers.tiny(c.tiny[0] // n + (1 if i < c.tiny[0] % n else 0), c.tiny[1], 4096)

    def run(self, number):
        """Without exchange: one rank, or each by itself."""
        self.start()
        layers = self.layer_stack()
        if isinstance(self, Ddp):
            self.b.begin("user_annotation", "DistributedDataParallel.forward", "", 12000)
        self.forward(layers)
        if isinstance(self, Ddp):
            self.b.end()
        self.settle()
        self.b.module("torch/_tensor.py(570): backward")
        self.b.thread(1)
        self.backward(layers)
        self.b.thread(0)
        self.b.end_module()
        self.after_backward()
        self.finish(self.params())

    def params(self):
        a, m = self.layer_params()
        return self.job.layers * (a + m) + self.job.vocabulary * self.job.hidden

    def conv(self):
        return self.job.model == "conv"

    def forward(self, layers):
        job, b = self.job, self.b
        if self.conv():
            conv = Convolutions(b, job.batch)
            for i in range(job.conv_blocks):
                b.block("forward", i)
                if i == job.conv_blocks // 2:
                    self.clock(1)
                conv.forward(i)
                if i % 2 == 1:
                    self.site()
            self.tiny_here(layers, 0)
            return
        b.block("embed")
        layers.embed(job.vocabulary)
        for i in range(job.layers):
            b.block("forward", i)
            if i == job.layers // 2:
                self.clock(1)
            self.before_forward(layers, i)
            layers.forward(i, chain=self.chain(2 * i), moe=self.moe(i))
            self.store(i)
            self.tiny_here(layers, i)
            self.site()
        b.block("head")
        layers.head_loss(job.vocabulary)

    def backward(self, layers):
        job, b = self.job, self.b
        if self.conv():
            conv = Convolutions(b, job.batch)
            for i in reversed(range(job.conv_blocks)):
                b.block("backward", i)
                conv.backward(i, layers)
                if i % 2 == 0:
                    self.after_layer(layers, i // 2)
            return
        b.block("head backward")
        layers.head_backward(job.vocabulary)
        for i in reversed(range(job.layers)):
            b.block("backward", i)
            self.before_backward(layers, i)
            layers.backward(i, chain=self.chain(2 * i + 1), recompute=i < self.cause.recompute, moe=self.moe(i),
                            ready=lambda part, i=i: self.reduce_part(i, part))
            self.after_layer(layers, i)
            self.site()
        layers.embed_backward(job.vocabulary)

    def moe(self, i):
        return None

    def before_forward(self, layers, i):
        if self.cause.offload and self.cause.offload[0] == "weights":
            self.fetch(i, i + 1, self.job.layers)

    def before_backward(self, layers, i):
        if self.cause.offload:
            self.fetch(i, i - 1, self.job.layers - 1)

    def reduce_part(self, i, part):
        pass

    def after_layer(self, layers, i):
        pass

    def after_backward(self):
        pass


class Ddp(Step):
    """Data parallel: gradients are reduced in buckets while the backward pass goes on."""

    def bucket(self, part):
        h, f = self.job.hidden, self.job.ffn
        return {"mlp": 2 * h * f, "proj": h * h, "qkv": 3 * h * h, "conv": 3000000}[part]

    def reduce_part(self, i, part):
        if self.job.ranks < 2:
            return
        count = self.job.conv_blocks // 2 if self.conv() else self.job.layers
        n = self.bucket(part)
        if i < self.cause.defer * count:
            self.late.append(n)
        else:
            self.b.collective("allreduce", self.world, n, n, REDUCE)

    def after_layer(self, layers, i):
        self.reduce_part(i, "conv" if self.conv() else "qkv")

    def backward(self, layers):
        self.late = []
        super().backward(layers)
        for n in self.late:
            self.b.collective("allreduce", self.world, n, n, REDUCE)

    def after_backward(self):
        if self.job.ranks > 1:
            self.b.join(COMPUTE, REDUCE)


class Fsdp(Step):
    """Fully sharded: weights are gathered before a layer, while the one before it computes; gradients are scattered.
    The first layer is whole on each rank and keeps its weights, as in fine-tuning: so all exchange can be hidden."""

    def shard_group(self):
        return self.shared.get(("shard", self.b.rank), self.world)

    def gather(self, i):
        if i == 0:
            return
        a, m = self.layer_params()
        g = self.shard_group()
        n = a + m
        self.b.op("FSDP::all_gather (layers.%d)" % i, "", 3000)
        self.b.collective("_allgather_base", g, n // len(g.members), n, GATHER)
        self.b.end()

    def early(self, i):
        return (i * 7919 % 100) / 100.0 < self.cause.prefetch

    def before_forward(self, layers, i):
        if i == 0 or not self.early(i):
            self.gather(i)
        self.b.join(COMPUTE, GATHER)
        if i + 1 < self.job.layers and self.early(i + 1):
            self.gather(i + 1)

    def before_backward(self, layers, i):
        if i != self.job.layers - 1:
            if not self.early(i):
                self.gather(i)
            self.b.join(COMPUTE, GATHER)
        if i > 0 and self.early(i - 1):
            self.gather(i - 1)

    def after_layer(self, layers, i):
        a, m = self.layer_params()
        g = self.shard_group()
        n = a + m
        if i == 0:
            return
        self.b.op("FSDP::post_backward_reduce", "", 3000)
        self.b.collective("_reduce_scatter_base", g, n, n // len(g.members), REDUCE)
        if self.job.family == "hsdp":
            r = self.shared[("replicate", self.b.rank)]
            self.b.collective("allreduce", r, n // len(g.members), n // len(g.members), REDUCE, after=None)
        self.b.end()

    def after_backward(self):
        self.b.join(COMPUTE, REDUCE)

    def params(self):
        return super().params() // len(self.shard_group().members)


class Moe(Ddp):
    """Mixture of experts: tokens travel to the ranks of their experts and back; the rest is data parallel."""

    def moe(self, i):
        c, g = self.cause, self.shared[("expert", self.b.rank)]
        size = len(g.members)
        share = [1.0] * size
        if c.share:
            draw = Draw(self.job.seed, "experts", i)
            hot = draw.below(size)
            share = [1.0 + c.share if r == hot else 1.0 - c.share / (size - 1)
                     for r in range(size)] if size > 1 else share
        return Experts(g, share, self.job.ffn // 2)

    def bucket(self, part):
        return super().bucket(part) // (4 if part == "mlp" else 1)


class Tensor(Step):
    """Tensor parallel: a group shares each layer and adds up its parts.  The batch goes in two halves, so that one half
    computes while the sums of the other are on their way; across groups, gradients are reduced as in Ddp."""

    def layer_stack(self):
        job, b = self.job, self.b
        full = super().layer_stack()
        self.group = self.shared[("tensor", b.rank)]
        full.tp = len(self.group.members)
        self.halves = [Layers(b, full.tokens // 2, job.seq, job.hidden, job.ffn, full.tp) for _ in range(2)]
        for half in self.halves:
            half.attn_rate = full.attn_rate
        return full

    def add_up(self, half):
        """The sum over the group of what this half has; what comes next waits for the sum of the other half."""
        n = half.tokens * half.hidden
        self.b.join(COMPUTE, REDUCE)
        self.b.collective("allreduce", self.group, n, n, REDUCE)

    def forward(self, layers):
        job, b = self.job, self.b
        b.block("embed")
        layers.embed(job.vocabulary)
        for i in range(job.layers):
            b.block("forward", i)
            if i == job.layers // 2:
                self.clock(1)
            b.module("nn.Module: DecoderLayer_%d" % i)
            b.alloc(("act", i), layers.activations())
            for half in self.halves:
                if i:
                    half.residual()
                half.attention_part(i)
                self.add_up(half)
            for half in self.halves:
                half.residual()
                half.norm(2 * i + 1)
                half.feed_part(i)
                self.add_up(half)
            b.end_module()
            self.site()
        b.block("head")
        b.join(COMPUTE, REDUCE)
        layers.head_loss(job.vocabulary)

    def backward(self, layers):
        job, b = self.job, self.b
        b.block("head backward")
        layers.head_backward(job.vocabulary)
        for i in reversed(range(job.layers)):
            b.block("backward", i)
            for half in self.halves:
                if i != job.layers - 1:
                    half.norm_backward()
                half.residual_backward()
                half.feed_backward()
                self.add_up(half)
            for half in self.halves:
                half.norm_backward()
                half.residual_backward()
                half.attention_part_backward()
                self.add_up(half)
            b.free(("act", i))
            self.reduce_gradients(i)
            self.site()
        b.join(COMPUTE, REDUCE)
        layers.embed_backward(job.vocabulary)

    def reduce_gradients(self, i):
        data = self.shared.get(("data", self.b.rank))
        if data and i:
            n = sum(self.layer_params()) // len(self.group.members)
            self.b.collective("allreduce", data, n, n, GATHER)

    def after_backward(self):
        if ("data", self.b.rank) in self.shared:
            self.b.join(COMPUTE, GATHER)

    def params(self):
        return super().params() // len(self.group.members)


class Pipeline(Step):
    """Stages on ranks, microbatches through them, one forward and one backward in turn; gradients reduced then."""

    def __init__(self, job, b, shared):
        super().__init__(job, b, shared)
        self.stage = b.rank % job.stage_count
        c = job.cause
        self.count = c.microbatches or job.microbatches
        self.scale = c.stages[self.stage] if c.stages else 1.0

    def layer_stack(self):
        job = self.job
        layers = super().layer_stack()
        layers.tokens = max(16, int(job.tokens * job.microbatches / self.count))
        layers.seq = min(layers.seq, layers.tokens)
        return layers

    def run(self, number):
        job, b = self.job, self.b
        self.start()
        layers = self.layer_stack()
        n, m = job.stage_count, self.count
        first = min(m, n - self.stage - 1)
        pair_up = self.shared.get((("pair", self.stage), b.rank))       # with the next stage
        pair_down = self.shared.get((("pair", self.stage - 1), b.rank))
        self.sites = 0
        b.rate = self.base_rate * self.scale
        elements = layers.tokens * job.hidden

        def forward(k):
            if pair_down:
                b.collective("recv", pair_down, elements, elements, PEER, after=None, peer=b.rank - 1)
                b.join(COMPUTE, PEER)
            b.block("forward", k)
            layers.forward(k % 100, save=False)
            if pair_up:
                b.collective("send", pair_up, elements, elements, PEER, peer=b.rank + 1)
            self.site()

        def backward(k):
            if pair_up:
                b.collective("recv", pair_up, elements, elements, PEER2, after=None, peer=b.rank + 1)
                b.join(COMPUTE, PEER2)
            b.thread(1)
            b.block("backward", k)
            layers.backward(k % 100)
            b.thread(0)
            if pair_down:
                b.collective("send", pair_down, elements, elements, PEER2, peer=b.rank - 1)

        for k in range(first):
            forward(k)
        for k in range(m - first):
            forward(first + k)
            backward(k)
        self.settle()
        for k in range(m - first, m):
            backward(k)
        b.rate = self.base_rate
        data = self.shared.get(("data", b.rank))
        if data:
            a, f = self.layer_params()
            b.collective("allreduce", data, a + f, a + f, REDUCE)
            b.join(COMPUTE, REDUCE)
        self.finish(sum(self.layer_params()))

    def site_count(self):
        return self.count


class Compiled(Ddp):
    """A compiled model: few fused kernels under regions of the compiler; breaks split the region."""

    def triton(self, name, size, count=1):
        b = self.b
        b.op(name, '"kernel_backend": "triton", "stream": 7, "grid": "grid(%d,)"' % max(1, size // 2048), 3500)
        b.kernel(name, b.bytes_ns(size), (max(1, int(size) // 2048), 1, 1), (256, 1, 1), 40, call="cuLaunchKernel")
        b.end()

    def region(self, k, back=False):
        b = self.b
        if not back:
            b.plain_op("TorchDynamo Cache Lookup", "", 20000)
            b.op("Torch-Compiled Region: %d/0" % k, "", 15000)
            b.op("CompiledFunction", "", 9000)
        else:
            b.op("autograd::engine::evaluate_function: CompiledFunctionBackward", "", 4000)
            b.op("CompiledFunctionBackward", "", 12000)

    def end_region(self):
        self.b.end(3000)
        self.b.end(4000)

    def pieces(self):
        """Numbers of the layers before which the region breaks."""
        breaks = self.cause.breaks
        if not breaks:
            return set()
        n = self.job.layers
        return {max(1, (k + 1) * n // (breaks[0] + 1)) for k in range(min(breaks[0], n - 1))}

    def forward(self, layers):
        job, b = self.job, self.b
        n, h, f = layers.tokens, job.hidden, job.ffn
        cut, number = self.pieces(), 0
        b.block("embed")
        self.region(0)
        layers.embed(job.vocabulary)
        for i in range(job.layers):
            if i in cut:
                self.end_region()
                number += 1
                b.block("break", i)
                b.begin("python_function", "torch/_dynamo/eval_frame.py(745): _fn", "", 5000)
                b.begin("python_function", "model.py(%d): forward" % (210 + i), "", 2000)
                b.out.append((WORK, int(self.cause.breaks[1])))
                b.end()
                b.end()
                self.region(number)
            b.block("forward", i)
            if i == job.layers // 2:
                self.clock(1)
            self.triton("triton_red_fused_native_layer_norm_add_%d" % (i % 2), 6.0 * n * h)
            b.where = ".qkv"
            b.gemm("aten::addmm", n, 3 * h, h)
            b.where = ""
            layers.attention()
            b.where = ".proj"
            b.gemm("aten::addmm", n, h, h)
            b.where = ""
            self.triton("triton_red_fused_native_layer_norm_add_%d" % (2 + i % 2), 8.0 * n * h)
            b.where = ".up"
            b.gemm("aten::addmm", n, f, h)
            b.where = ""
            self.triton("triton_poi_fused_gelu_4", 4.0 * n * f)
            b.where = ".down"
            b.gemm("aten::addmm", n, h, f)
            b.where = ""
            self.tiny_here(layers, i)
            self.site()
        self.end_region()
        b.block("head")
        layers.head_loss(job.vocabulary)

    def backward(self, layers):
        job, b = self.job, self.b
        n, h, f = layers.tokens, job.hidden, job.ffn
        cut = self.pieces()
        self.late = []
        b.block("head backward")
        layers.head_backward(job.vocabulary)
        self.region(0, True)
        for i in reversed(range(job.layers)):
            b.block("backward", i)
            for where, m, k in ((".down", h, f), (".up", f, h), (".proj", h, h), (".qkv", 3 * h, h)):
                b.where = where + ".dgrad"
                b.gemm("aten::mm", n, k, m)
                b.where = where + ".wgrad"
                b.gemm("aten::mm", m, k, n)
                b.where = ""
                if where == ".down":
                    self.triton("triton_poi_fused_gelu_backward_5", 6.0 * n * f)
                elif where == ".proj":
                    layers.attention_backward()
                else:
                    self.triton("triton_red_fused_add_native_layer_norm_backward_%d" % (6 if where == ".up" else 7),
                                10.0 * n * h)
                if where != ".down":
                    self.reduce_part(i, {".up": "mlp", ".proj": "proj", ".qkv": "qkv"}[where])
            self.site()
            if i in cut:
                self.end_region()
                self.region(0, True)
        self.end_region()
        for late in self.late:
            b.collective("allreduce", self.world, late, late, REDUCE)
        layers.embed_backward(job.vocabulary)


class Inference(Step):
    """Serving: prefill with eager kernels, decoding with one graph a step; tokens are looked at one step later."""

    def __init__(self, job, b, shared):
        super().__init__(job, b, shared)
        self.loader = None

    def run(self, number):
        job, b, c = self.job, self.b, self.cause
        self.sites = 0
        self.clock(0)
        b.block("schedule")
        if c.host_frame:
            b.begin("python_function", c.host_frame[0], "", 1000)
            b.out.append((WORK, int(c.host_frame[1])))
            b.end(300)
        b.module("vllm/v1/worker/gpu_model_runner.py(1450): execute_model")
        b.frame("vllm/v1/core/sched/scheduler.py(160): schedule", 60000) if job.stacks else b.work(60000)
        n = job.tokens if prefill(number) else job.infer_tokens
        for k in range(3):
            b.op("aten::copy_", op_args([(n,)] * 2, ["int"] * 2, ["", ""]), 3000)
            b.copy(4 * n, "HtoD pinned", COMPUTE, 20.0)
            b.end()
        if c.offload:       # a part of the cache; hidden, that of the next step
            if c.offload[2]:
                b.join(COMPUTE, COPY)
            for k in range(4):
                self.offloaded("HtoD pinned", k, COPY if c.offload[2] else COMPUTE)
        hidden = job.hidden * 2
        growth = 1.0 + (c.drift[1] * max(0, number) if c.drift else 0.0)
        if prefill(number):
            layers = Layers(b, job.tokens, job.seq, hidden, 4 * hidden)
            layers.attn_rate = growth
            layers.embed(job.vocabulary)
            for i in range(job.layers):
                b.block("forward", i)
                if i == job.layers // 2:
                    self.clock(1)
                layers.forward(i, chain=self.chain(i), save=False)
                self.tiny_here(layers, i)
                self.site()
        else:
            layers = Layers(b, job.infer_tokens, job.context, hidden, 4 * hidden)
            layers.attn_rate = growth
            b.block("decode")
            work = decode_graph(b, layers, job.layers * 4)
            if c.graphs_lost and Draw(job.seed, "lost", number).chance(c.graphs_lost):
                for w in work:
                    w.hidden = True
            for i in range(job.layers):
                self.site()
        self.settle()
        b.block("sample")
        layers.tokens = job.infer_tokens
        layers.linear("Linear_lm_head", ".head", job.infer_tokens, 32000, hidden)
        b.op("aten::argmax", op_args([(job.infer_tokens, 32000), None, None]), 5000)
        b.kernel("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::ArgMaxOps<float>, "
                 "unsigned int, long, 4, 4> >",
                 7000, (job.infer_tokens, 1, 1), (512, 1, 1), 32)
        b.end()
        b.copy(8 * job.infer_tokens, "DtoH pinned", COMPUTE, 20.0)
        key = "tokens%d" % (number % 2)
        other = "tokens%d" % ((number + 1) % 2)
        b.mark("event", key, COMPUTE)
        b.out.append((EVENT, "cudaEventSynchronize", other, b.h(2000)))
        b.plain_op("aten::empty", "", 2500)
        b.work(40000)
        b.end_module()
        if c.leak and number >= 0:
            for k in range(4):
                b.alloc(("leak", number, k), c.leak / 4)


FAMILIES = {"single": Step, "ddp": Ddp, "fsdp": Fsdp, "hsdp": Fsdp, "moe": Moe, "tp": Tensor, "pp": Pipeline,
            "compiled": Compiled, "infer": Inference}
