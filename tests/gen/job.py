#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces of simulated jobs with one planted cause, and the truth about it.

usage: job.py --list-plan N [--seed S]
       job.py --plan-job K --plan-size N [--seed S] --output DIR --truth DIR [--gzip]
       job.py --id ID [--variant V] --strength weak|medium|strong --family F --ranks R [--seed S]
              --output DIR --truth DIR [--gzip]

Equal options give equal bytes.  README.md describes files, causes and families.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True
from jobgen import faults, plan  # noqa: E402


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--list-plan", type=int, metavar="N", help="print a plan of N jobs")
    p.add_argument("--plan-job", type=int, metavar="K", help="make job K of the plan, from 0")
    p.add_argument("--plan-size", type=int, default=200, metavar="N", help="jobs of the plan [200]")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--id", default="clean", choices=["clean"] + sorted(faults.VARIANTS))
    p.add_argument("--variant", help="one of the variants of the id [the first]")
    p.add_argument("--strength", default="medium", choices=plan.STRENGTHS)
    p.add_argument("--family", choices=sorted(faults.FAMILY_RANKS))
    p.add_argument("--ranks", type=int, default=1)
    p.add_argument("--gzip", action="store_true", help="compress the traces")
    p.add_argument("--output", metavar="DIR", help="folder for a folder with the traces")
    p.add_argument("--truth", metavar="DIR", help="folder for the truth, which programs under test are not given")
    return p, p.parse_args()


def row_of(p, a):
    if a.plan_job is not None:
        if not 0 <= a.plan_job < a.plan_size:
            p.error("job %d is not in a plan of %d" % (a.plan_job, a.plan_size))
        return plan.plan(a.plan_size, a.seed)[a.plan_job]
    if a.id == "clean":
        family = a.family or ("single" if a.ranks == 1 else "ddp")
        variant, low, high = "", *faults.FAMILY_RANKS[family]
    else:
        variant = a.variant or faults.VARIANTS[a.id][1][0]
        if variant not in faults.VARIANTS[a.id][1]:
            p.error("%s has the variants %s" % (a.id, ", ".join(faults.VARIANTS[a.id][1])))
        fitting = [f for f in faults.families_of(a.id, variant)
                   if faults.ranks_of(a.id, variant, f)[0] <= a.ranks <= faults.ranks_of(a.id, variant, f)[1]]
        family = a.family or (fitting[0] if fitting else faults.families_of(a.id, variant)[0])
        if family not in faults.families_of(a.id, variant):
            p.error("%s, %s is planted in %s" % (a.id, variant, ", ".join(faults.families_of(a.id, variant))))
        low, high = faults.ranks_of(a.id, variant, family)
    if not low <= a.ranks <= high:
        p.error("%s takes %d to %d ranks here" % (family, low, high))
    return 0, a.id, variant, "" if a.id == "clean" else a.strength, family, a.ranks, a.seed


def main():
    p, a = arguments()
    if a.list_plan is not None:
        sys.stdout.write(plan.list_text(plan.plan(a.list_plan, a.seed)))
        return 0
    if not a.output or not a.truth:
        p.error("--output and --truth are needed")
    row = row_of(p, a)
    name = plan.job_name(row[0])
    truth = plan.planted(row).make(os.path.join(a.output, name), os.path.join(a.truth, name + ".json"), a.gzip)
    if a.plan_job is not None:
        part = os.path.join(a.truth, "plan.tsv.%d" % os.getpid())
        with open(part, "w", encoding="utf-8") as out:
            out.write(plan.list_text(plan.plan(a.plan_size, a.seed)))
        os.replace(part, os.path.join(a.truth, "plan.tsv"))
    sys.stdout.write("%s\t%s\t%s\t%s\t%d\t%.3f\t%.2f%%\n" % (name, row[1], row[3], row[4], row[5], truth["impact_us"],
                                                             truth["impact_pct"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
