# SPDX-License-Identifier: MIT
"""Jobs of a plan: simulated with and without their cause, with the truth about both."""
import copy
import json
import os

from . import faults, kineto, sim
from .build import COMPUTE
from .draw import Draw
from .families import Cause, Job, build, step_name

STRENGTHS = ("weak", "medium", "strong")
RANKS = (1, 2, 4, 8, 16, 64)


class Run:
    """A simulated job: ranks, shared groups, and the true times of its steps."""

    def __init__(self, job, cause, record=False):
        self.job = job = copy.copy(job)
        job.cause = cause
        self.shared, self.ranks = {}, []
        for r in range(job.ranks):
            program, loader = build(job, r, self.shared)
            self.ranks.append(sim.Rank(r, program, loader, record))
        sim.run(self.ranks)
        self.times, self.periods, self.busy = [], [], []
        for r in self.ranks:
            ends = sim.step_ends(r, range(job.steps), [COMPUTE])
            before = max([w.end for w in r.stream(COMPUTE).queue if w.step < 0 and w.launched < r.step_start[0]],
                         default=0)
            first = max(r.step_start[0], before)
            edges = [first] + ends
            self.periods.append([b - a for a, b in zip(edges, edges[1:])])
            if job.family == "infer":
                self.times.append([e - max(edges[k], r.step_start[k]) for k, e in enumerate(ends)])
            else:
                self.times.append(self.periods[-1])
            span = ends[-1] - ends[0]
            work = sum(w.end - w.start for w in r.stream(COMPUTE).queue if w.step >= 1)
            self.busy.append(work / span if span else 0.0)

    def mean(self, over, periods=False):
        """Mean time of a step in ns over ranks and steps: all, or without the first."""
        first = 0 if over == "all" else 1
        rows = self.periods if periods else self.times
        return sum(sum(row[first:]) / len(row[first:]) for row in rows) / len(rows)

    def waits(self):
        """How long a rank's collectives wait for the last member, by rank, mean of a step in ns."""
        out = []
        for r in self.ranks:
            total = 0
            for w in r.work:
                if w.coll is not None and w.step >= 1:
                    total += max(x.start for x in w.coll.arrived) - w.start
            out.append(total // max(1, self.job.steps - 1))
        return out


class Planted:
    """A job with its fault (None: clean), made so that it loses about what its strength says."""

    def __init__(self, family, ranks, seed, name=None, variant=None, strength=None):
        self.fault = faults.make(name, variant) if name else None
        f = self.fault
        self.strength = strength
        self.over = "all" if family == "infer" else f.over if f else "steady"
        steps = f.steps if f else 8 if family == "infer" else 4 if family == "pp" else 6
        if family == "infer":
            steps = max(8, steps)
        if ranks >= 64:
            steps = min(steps, 6)
        self.job = job = Job(family, ranks, seed, steps, model="transformer" if f and f.needs_transformer else None)
        if f:
            if name == "pipeline_bubble":
                f.small = strength == "weak"
            job.host_limit = 8.0
            f.loss = faults.LOSS[strength]
            f.prepare(job)
        job.calibrate()
        self.x, self.ground = 0.0, (None, 0.0)
        if f:
            self.x = f.start(job, faults.LOSS[strength])
            if not f.free:
                self._tune(faults.LOSS[strength])

    def cause(self, x, job=None):
        c = Cause()
        if self.fault:
            self.fault.apply(job or self.job, c, x)
        return c

    def _loss(self, x, job):
        """The share of a step that is lost with strength x."""
        f = self.fault
        with_it = Run(job, self.cause(x, job)).mean(self.over, True)
        cause = self.cause(0, job)
        key = repr(sorted(vars(cause).items(), key=lambda item: item[0]))
        if self.ground[0] != key:
            self.ground = key, Run(job, cause).mean(self.over, True)
        without = self.ground[1]
        return (with_it - without) / without

    def _tune(self, target):
        """Finds x for a loss near `target`: grows until above it, then halves the interval."""
        f = self.fault
        job = self.job
        if job.ranks > 16:
            job = copy.copy(job)
            job.ranks = 16
        ground = 1.0 if self.x >= 1.0 and f.neutral else 0.0
        low, low_loss, high, high_loss, x, best = ground, 0.0, None, 0.0, self.x, None
        for _ in range(14):
            if f.limit is not None:
                x = min(x, f.limit)
            if f.whole:
                x = max(1, int(round(x)))
            loss = self._loss(x, job)
            if best is None or abs(loss - target) < abs(best[1] - target):
                best = (x, loss)
            if abs(loss - target) <= 0.12 * target or (loss < target and f.limit is not None and x >= f.limit):
                break
            if loss < target:
                low, low_loss = x, loss
            else:
                high, high_loss = x, loss
            if high is None:
                x = ground + (x - ground) * min(3.0, max(1.4, target / max(loss, 1e-9)))
            elif low_loss > 0.2 * target:
                x = low + (high - low) * (target - low_loss) / (high_loss - low_loss)
            else:
                x = low + (high - low) * 0.5
            if f.whole and high is not None and high - low <= 1:
                break
        self.x = best[0]

    def make(self, folder, truth_file, compressed=False):
        """Writes traces and truth."""
        job, f = self.job, self.fault
        without = Run(job, self.cause(0)) if f and not f.free else None
        run = Run(job, self.cause(self.x), record=True)
        if run.job.cause.work_lost:
            self._lose(run)
        kineto.write_job(run.job, run.ranks, run.shared, folder, compressed)
        truth = self.truth(run, without or run)
        os.makedirs(os.path.dirname(truth_file) or ".", exist_ok=True)
        with open(truth_file, "w", encoding="utf-8") as out:
            json.dump(truth, out, indent=1, sort_keys=True)
            out.write("\n")
        return truth

    def _lose(self, run):
        """Device work that is not in the trace: a stretch of the window, as of buffers that were dropped."""
        for r in run.ranks:
            work = sorted((w for w in r.work if w.step >= 0), key=lambda w: (w.start, w.stream.id))
            n = int(len(work) * run.job.cause.work_lost)
            at = Draw(self.job.seed, "lost", r.number).below(max(1, len(work) - n))
            for w in work[at:at + n]:
                w.hidden = True

    def truth(self, run, without):
        job, f = self.job, self.fault
        us = lambda ns: round(ns / 1000.0, 3)
        with_ns, without_ns = run.mean(self.over, True), without.mean(self.over, True)
        clocks = [kineto.Clock(job, r) for r in range(job.ranks)]
        chosen = f.chosen(job) if f else None
        before, after = without.waits(), run.waits()
        return {
            "version": 1, "id": f.id if f else "clean", "variant": f.variant if f else "", "strength": self.strength
            or "",
            "x": self.x, "costs_time": bool(f and not f.free),
            "family": job.family, "ranks": job.ranks, "seed": job.seed, "model": job.model, "device": job.device.name,
            "cause_ranks": (list(range(job.ranks)) if chosen is None else chosen) if f else [],
            "cause_steps": (f.where(job) or list(range(job.steps))) if f else [],
            "step_names": [step_name(job, k) for k in range(job.steps)],
            "changed": changed(self.cause(0), self.cause(self.x)),
            "over": self.over,
            "step_ns": round(with_ns), "step_ns_without": round(without_ns),
            "impact_us": us(with_ns - without_ns), "impact_pct": round(100.0 * (with_ns - without_ns) / with_ns, 3),
            "impact_us_all_steps": us(run.mean("all", True) - without.mean("all", True)),
            "impact_us_steady_steps": us(run.mean("steady", True) - without.mean("steady", True)),
            "step_times_ns": run.times, "step_times_ns_without": without.times,
            "step_ends_apart_ns": run.periods,
            "busy_pct": [round(100.0 * x, 2) for x in run.busy],
            "busy_pct_without": [round(100.0 * x, 2) for x in without.busy],
            "compute_bound": min(without.busy) >= 0.95,
            "secondary": {"collective_wait_us": [us(x) for x in after],
                          "collective_wait_us_without": [us(x) for x in before]},
            "clock_offset_ns": [c.offset for c in clocks], "clock_drift_ppb": [c.drift for c in clocks],
            "options": {"steps": job.steps, "layers": job.layers, "hidden": job.hidden, "tokens": job.tokens,
                        "host_ratio": job.host_ratio,
                        "mid_start": job.mid_start, "whole_us": job.whole_us, "stacks": job.stacks,
                        "memory": job.memory},
        }


def changed(before, after):
    """The members of the cause that differ: [without, with]."""
    plain = lambda v: {str(k): x for k, x in v.items()} if isinstance(v, dict) else v
    return {k: [plain(getattr(before, k)), plain(v)] for k, v in sorted(vars(after).items()) if getattr(before, k) != v}


# ---- plans ----

COLUMNS = ("job", "id", "variant", "strength", "family", "ranks", "seed")


def plan(count, seed):
    """Rows of a plan: a quarter clean; ids in turn, strengths mixed, rank counts and families spread evenly."""
    d = Draw(seed, "plan")
    ids = sorted(faults.VARIANTS)
    used, rows, turn = {}, [], {}
    clean_turn = 0
    k = 0
    for job in range(count):
        row_seed = (seed * 100003 + job * 7919 + 17) & 0x7FFFFFFF
        if job % 4 == 3:
            families = sorted(faults.FAMILY_RANKS)
            family = families[clean_turn % len(families)]
            low, high = faults.FAMILY_RANKS[family]
            ranks = _spread(used, ("clean", family), low, high, d)
            clean_turn += 1
            rows.append((job, "clean", "", "", family, ranks, row_seed))
            continue
        name = ids[k % len(ids)]
        n = turn[name] = turn.get(name, -1) + 1
        k += 1
        variants = faults.VARIANTS[name][1]
        strength = STRENGTHS[(n + ids.index(name)) % 3]
        variant = variants[(n + n // 3) % len(variants)]
        families = faults.families_of(name, variant)
        family = families[(n // len(variants) + d.below(len(families))) % len(families)]
        low, high = faults.ranks_of(name, variant, family)
        ranks = _spread(used, name, low, high, d)
        rows.append((job, name, variant, strength, family, ranks, row_seed))
    return rows


def _spread(used, key, low, high, d):
    """The rank count in range that was used in the fewest jobs so far, for this id first."""
    options = [r for r in RANKS if low <= r <= high]
    best = min(options, key=lambda r: (used.get((key, r), 0), used.get(r, 0), d.bits()))
    used[(key, best)] = used.get((key, best), 0) + 1
    used[best] = used.get(best, 0) + 1
    return best


def planted(row):
    _, name, variant, strength, family, ranks, seed = row
    return Planted(family, ranks, seed, None if name == "clean" else name, variant, strength)


def list_text(rows):
    return "\t".join(COLUMNS) + "\n" + "".join("\t".join(map(str, r)) + "\n" for r in rows)


def job_name(number):
    return "job%03d" % number
