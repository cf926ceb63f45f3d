# SPDX-License-Identifier: MIT
"""Faults: causes that make a job slower, each with its families, and how strong it must be for a given loss."""
from .draw import Draw

LOSS = {"weak": 0.04, "medium": 0.12, "strong": 0.35}       # of the step without the fault
EXCHANGING = ("ddp", "fsdp", "hsdp", "moe", "tp")
TRAINING = ("single", "ddp", "fsdp", "hsdp", "moe", "tp", "compiled")


class Fault:
    """One way to make a job slower.

    prepare(job)            sets options of the job that hold with and without the fault
    apply(job, cause, x)    the cause of strength x; 0 is the same job without the fault
    start(job, loss)        a first x for that loss of time
    """
    families, ranks, steps = TRAINING, (1, 64), 6
    over = "steady"             # the steps that the loss is a mean of: all, or all but the first
    whole = False               # x is a whole number
    neutral = True              # x = 1 changes nothing, where a first x is above that
    limit = None                # the largest x
    free = False                # costs no time
    needs_transformer = False

    def __init__(self, name, variant):
        self.id, self.variant, self.loss = name, variant, 0.0

    def prepare(self, job):
        pass

    def apply(self, job, cause, x):
        raise NotImplementedError

    def start(self, job, loss):
        return 1.0 + loss

    def chosen(self, job):
        """Ranks where the cause is; None: all."""
        return None

    def where(self, job):
        """Steps where the cause is; None: all."""
        return None


def hidden_net(job, share, size):
    """A factor of busbw: what a group of `size` exchanges for a layer takes that share of the time that hides it."""
    h, n = job.hidden, job.tokens
    inside = size <= 8 and (job.family in ("hsdp", "moe", "tp") or job.ranks <= 8)
    busbw = job.device.inside if inside else job.device.between
    if job.family == "moe":
        work, elements = 2.0 * n * h * job.ffn / 2, n * h           # a matrix product; the tokens
    elif job.family == "tp":
        work, elements = 8.0 * n / 2 * h * h / size, n * h          # attention's products of a half; its sums, twice
    else:
        work, elements = 24.0 * n * h * h, 12 * h * h               # a layer forward; its weights
    hides = work / (job.device.tflops * job.gemm_eff) / 1e3
    return 2.0 * elements * (size - 1) / size / busbw / (share * hides)


def one_rank(job):
    return Draw(job.seed, "which rank").below(job.ranks)


class HostBound(Fault):
    families = TRAINING + ("infer",)

    def prepare(self, job):
        job.host_ratio = 0.8 if self.variant != "frame" else 0.5
        if self.variant == "operator" and job.model == "conv":
            self.variant = "all"

    def apply(self, job, cause, x):
        if not x:
            return
        if self.variant == "all":
            cause.host = {r: x for r in range(job.ranks)}
        elif self.variant == "operator":
            cause.host_op = ("aten::scaled_dot_product_attention" if job.family != "infer" else "aten::copy_",
                             (x - 1.0) * 1e6)
        else:
            cause.host_frame = ("train.py(61): build_masks", (x - 1.0) * job.step_guess)

    def start(self, job, loss):
        return 1.0 + loss


class DataLoading(Fault):
    families, neutral = TRAINING, False

    def prepare(self, job):
        if self.variant == "main":
            job.host_ratio = 0.6

    def apply(self, job, cause, x):
        kind = "main" if self.variant == "main" else "workers"
        low = 200000 if kind == "main" else int(job.step_guess * 0.35)
        ns = int(x * job.step_guess) if x else low
        rank = self.chosen(job)
        cause.load = (kind, ns if rank is None else {r: ns if r in rank else low for r in range(job.ranks)})

    def chosen(self, job):
        return [one_rank(job)] if self.variant == "one" else None

    def start(self, job, loss):
        return 1.0 + loss


class BlockingCall(Fault):
    neutral = False
    families = TRAINING + ("infer",)

    def prepare(self, job):
        job.host_ratio = 0.3

    def apply(self, job, cause, x):
        if self.variant == "pageable":
            size = int(abs(x) * 1e6)
            cause.pageable = (max(4096, size), bool(x))
            return
        sites = self.sites(job)
        cause.item_kind = self.variant
        cause.items = (sites, self.work if not x else x * job.step_guess / sites, bool(x))

    def sites(self, job):
        places = job.conv_blocks // 2 if job.model == "conv" else job.layers * (1 if job.family == "infer" else 2)
        return max(1, min(places, self.wanted))

    wanted, work = 4, 0.0

    def start(self, job, loss):
        if self.variant == "pageable":
            return loss * job.step_guess * 12.0 / 1e6
        self.wanted = 2 if loss < 0.1 else 4 if loss < 0.2 else 12
        return loss


class SmallKernels(Fault):
    neutral = False
    families, whole, needs_transformer, ranks = ("single", "ddp", "fsdp", "compiled", "infer"), True, True, (1, 16)

    def prepare(self, job):
        job.host_ratio = 0.3
        if job.family == "infer":
            self.variant = "forward"
        job.tokens = min(job.tokens, 4 * job.seq)

    count = 0

    def apply(self, job, cause, x):
        if x:
            self.count = int(x)
        cause.tiny = (self.count, not x, self.variant) if self.count else None

    def start(self, job, loss):
        return max(4, int(loss * job.step_guess / 3500))


class ExposedComm(Fault):
    neutral = False
    families, ranks, needs_transformer = ("ddp", "fsdp"), (2, 64), True

    def apply(self, job, cause, x):
        shares = dict(zip(sorted(LOSS.values()), (0.25, 0.45, 0.85)))
        share = (0.3 if job.family == "ddp" else 0.6) if self.variant == "network" else shares[self.loss]
        cause.net = hidden_net(job, share, job.ranks) / (x if self.variant == "network" and x else 1.0)
        if self.variant == "late":
            cause.defer = min(1.0, x)
        elif self.variant == "prefetch":
            cause.prefetch = 1.0 - min(1.0, x)

    def start(self, job, loss):
        return min(1.0, 2.0 * loss + 0.1) if self.variant != "network" else 1.7

    @property
    def limit(self):
        return None if self.variant == "network" else 1.0


class ExposedCopies(Fault):
    """What the host keeps is copied when it is needed, in the stream that computes; without: ahead, in another one."""
    neutral = False
    families, needs_transformer = ("single", "ddp", "moe"), True
    size = 0

    def apply(self, job, cause, x):
        if x:
            self.size = int(x)
        cause.offload = (self.variant, self.size, not x) if self.size else None

    def start(self, job, loss):
        copies = {"weights": 2 * job.layers - 3, "activations": 2 * job.layers - 4, "cache": 4}[self.variant]
        return loss * job.step_guess * 50.0 / copies


class Straggler(Fault):
    families, ranks = EXCHANGING, (2, 64)

    def prepare(self, job):
        job.host_ratio = 0.8 if self.variant == "host" else 0.45

    def apply(self, job, cause, x):
        if x:
            factors = {one_rank(job): x}
            if self.variant == "host":
                cause.host = factors
            else:
                cause.device = factors

    def chosen(self, job):
        return [one_rank(job)]


class Imbalance(Fault):
    families, ranks, needs_transformer = ("ddp", "fsdp", "hsdp", "moe"), (2, 64), True

    def apply(self, job, cause, x):
        if self.variant == "experts":
            cause.share = x or None
        else:
            cause.spread = x or None

    def start(self, job, loss):
        return loss * (3.0 if self.variant == "experts" else 1.1)

    @property
    def limit(self):
        return 6.0 if self.variant == "experts" else 0.9


class SlowLink(Fault):
    families, ranks, needs_transformer = ("hsdp", "moe", "tp"), (4, 64), True

    def prepare(self, job):
        job.reference = "link"

    def first(self, job):
        size = {"hsdp": job.shard, "moe": min(8, job.ranks // 2), "tp": min(4, job.ranks // 2)}[job.family]
        return Draw(job.seed, "which link").below(job.ranks // size) * size, size

    def apply(self, job, cause, x):
        cause.net = hidden_net(job, 0.6, self.first(job)[1])
        if x:
            kind = {"hsdp": "shard", "moe": "expert", "tp": "tensor"}[job.family]
            cause.link = {(kind, self.first(job)[0]): 1.0 / x}

    def chosen(self, job):
        first, size = self.first(job)
        return list(range(first, first + size))

    def start(self, job, loss):
        return 1.7


class PipelineBubble(Fault):
    families, ranks, needs_transformer, steps = ("pp",), (2, 8), True, 4

    def prepare(self, job):
        if self.variant == "microbatches":
            job.stage_count = 2 if self.small else min(job.ranks, 4)
        else:
            job.stage_count = 2

    small, count = False, 0

    def apply(self, job, cause, x):
        if self.variant == "microbatches":
            if x:
                self.count = max(1, int(round((job.stage_count - 1) / x)))
            cause.microbatches = self.count or None
        cause.no_waits = not x
        if self.variant == "stages" and x:
            n = job.stage_count
            slow = Draw(job.seed, "which stage").below(n)
            cause.stages = [1.0 + x if s == slow else 1.0 - x / (n - 1) for s in range(n)]

    def chosen(self, job):
        if self.variant == "microbatches":
            return None
        slow = Draw(job.seed, "which stage").below(job.stage_count)
        return list(range(slow, job.ranks, job.stage_count))

    def start(self, job, loss):
        return loss

    limit = 0.9


class MemoryGrowth(Fault):
    families, free, ranks = TRAINING + ("infer",), True, (1, 16)

    def prepare(self, job):
        job.memory = True

    def apply(self, job, cause, x):
        if self.variant == "leak":
            cause.leak = int(x)
        else:
            cause.fragments = int(x)

    def start(self, job, loss):
        return job.device.memory * {0.04: 0.003, 0.12: 0.01, 0.35: 0.03}[loss]


class Recompute(Fault):
    neutral = False
    families, whole, needs_transformer = ("single", "ddp", "fsdp", "hsdp"), True, True

    def apply(self, job, cause, x):
        cause.recompute = int(x)

    def prepare(self, job):
        job.stacks = True

    def start(self, job, loss):
        return max(1, int(round(loss * 3.2 * job.layers)))

    @property
    def limit(self):
        return 6


class LowRoofline(Fault):
    families = TRAINING + ("infer",)

    def prepare(self, job):
        pass

    def apply(self, job, cause, x):
        if not x:
            return
        if job.model == "conv":
            names = ("conv.wgrad",) if self.variant == "one" else ("conv.fprop", "conv.dgrad")
        elif job.family == "infer":
            names = ("aten::addmm.up", "aten::addmm.down", "aten::addmm.qkv", "aten::addmm.proj")
        elif job.family == "moe":
            names = ("aten::mm.expert", "aten::addmm.qkv") if self.variant == "one" else ("aten::addmm.qkv",
                                                                                          "aten::mm.qkv.wgrad",
                                                                                          "aten::mm.qkv.dgrad")
        elif self.variant == "one":
            names = ("aten::addmm.up",)
        else:
            names = ("aten::mm.up.wgrad", "aten::mm.down.wgrad", "aten::mm.qkv.wgrad", "aten::mm.proj.wgrad")
        cause.gemm = {n: x for n in names}

    def start(self, job, loss):
        return 1.0 + loss * 6


class Fusion(Fault):
    neutral = False
    families, whole, needs_transformer = ("single", "ddp", "fsdp", "hsdp"), True, True

    def apply(self, job, cause, x):
        cause.chains = int(x)

    def start(self, job, loss):
        return max(1, int(round(loss * 10 * job.layers)))

    @property
    def limit(self):
        return 12


class Frequency(Fault):
    families, over, steps = TRAINING + ("infer",), "all", 8

    def prepare(self, job):
        job.counters = Draw(job.seed, "counters").chance(0.6)

    def window(self, job):
        return 2, 5

    def apply(self, job, cause, x):
        if x:
            cause.slow = self.window(job) + (x,)

    def where(self, job):
        first, last = self.window(job)
        return list(range(first, last + 1))

    def start(self, job, loss):
        return 1.0 + 2.2 * loss


class Drift(Fault):
    families, over, steps, needs_transformer = ("single", "ddp", "fsdp"), "all", 10, True

    def prepare(self, job):
        if self.variant == "host":
            job.host_ratio = 0.9

    def apply(self, job, cause, x):
        if x:
            cause.drift = (self.variant, x)

    def start(self, job, loss):
        return loss if self.variant == "host" else loss * 2


class Warmup(Fault):
    neutral = False
    families, over, steps = TRAINING, "all", 6

    def prepare(self, job):
        job.mid_start = False

    def apply(self, job, cause, x):
        if x:
            cause.warm = (1 if self.variant == "one" else 2, x * job.step_guess, 1.1)

    def where(self, job):
        return [0] if self.variant == "one" else [0, 1]

    def start(self, job, loss):
        return loss * 6


class ProfilerOverhead(Fault):
    families = TRAINING

    def prepare(self, job):
        job.host_ratio = 0.85

    def apply(self, job, cause, x):
        if x:
            cause.stalls = (3, x * job.step_guess / 3, 1.1)

    def start(self, job, loss):
        return 0.1 + loss


class CaptureIncomplete(Fault):
    families, free, ranks = ("infer",) + TRAINING, True, (1, 16)

    def apply(self, job, cause, x):
        if self.variant == "graphs":
            cause.graphs_lost = x
        else:
            cause.work_lost = x

    def start(self, job, loss):
        shares = (0.5, 0.75, 1.0) if self.variant == "graphs" else (0.08, 0.25, 0.6)
        return dict(zip(sorted(LOSS.values()), shares))[loss]


class GraphBreaks(Fault):
    families, needs_transformer = ("compiled",), True

    def prepare(self, job):
        job.host_ratio = 0.6

    wanted = 1

    def apply(self, job, cause, x):
        if x:
            cause.breaks = (min(self.wanted, job.layers - 1), x * job.step_guess / self.wanted)

    def start(self, job, loss):
        self.wanted = 1 if loss < 0.1 else 2 if loss < 0.2 else 3
        return 0.4 + loss


VARIANTS = {
    "host_bound": (HostBound, ("all", "operator", "frame")),
    "data_loading": (DataLoading, ("workers", "main", "one")),
    "blocking_call": (BlockingCall, ("item", "synchronize", "pageable")),
    "small_kernels": (SmallKernels, ("optimizer", "forward")),
    "exposed_comm": (ExposedComm, ("late", "network", "prefetch")),
    "exposed_copies": (ExposedCopies, ("weights", "activations", "cache")),
    "straggler": (Straggler, ("host", "device")),
    "imbalance": (Imbalance, ("tokens", "experts")),
    "slow_link": (SlowLink, ("group",)),
    "pipeline_bubble": (PipelineBubble, ("microbatches", "stages")),
    "memory_growth": (MemoryGrowth, ("leak", "fragments")),
    "recompute": (Recompute, ("layers",)),
    "low_roofline": (LowRoofline, ("one", "several")),
    "fusion": (Fusion, ("chains",)),
    "frequency": (Frequency, ("clock",)),
    "drift": (Drift, ("device", "host")),
    "warmup": (Warmup, ("one", "two")),
    "profiler_overhead": (ProfilerOverhead, ("buffers",)),
    "capture_incomplete": (CaptureIncomplete, ("graphs", "missing")),
    "graph_breaks": (GraphBreaks, ("python",)),
}


def families_of(name, variant):
    """Families in which a variant can be planted."""
    families = VARIANTS[name][0].families
    return {("exposed_comm", "late"): ("ddp",), ("exposed_comm", "prefetch"): ("fsdp",),
            ("exposed_copies", "cache"): ("infer",),
            ("imbalance", "tokens"): ("ddp", "fsdp", "hsdp"),
            ("imbalance", "experts"): ("moe",), ("capture_incomplete", "graphs"): ("infer",),
            ("capture_incomplete", "missing"): TRAINING,
            ("blocking_call", "pageable"): TRAINING,
            ("host_bound", "operator"): ("single", "ddp", "fsdp", "hsdp", "infer"), ("data_loading", "one"): EXCHANGING,
            }.get((name, variant), families)


def ranks_of(name, variant, family):
    """The smallest and the largest number of ranks."""
    low, high = VARIANTS[name][0].ranks
    low, high = max(low, FAMILY_RANKS[family][0]), min(high, FAMILY_RANKS[family][1])
    return (max(low, 2), high) if variant == "one" and name == "data_loading" else (low, high)


FAMILY_RANKS = {"single": (1, 1), "ddp": (2, 64), "fsdp": (2, 64), "hsdp": (4, 64), "moe": (2, 64), "tp": (2, 64),
                "pp": (2, 8), "compiled": (1, 64),
                "infer": (1, 8)}


def make(name, variant):
    return VARIANTS[name][0](name, variant)
