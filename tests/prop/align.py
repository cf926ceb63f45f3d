#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Offsets and drifts that tr-align reports against those that the generator gave the ranks.

usage: align.py REPORT FOLDER SIGMA    one line per rank: errors over their standard errors
       align.py --mesh REPORT TRUTH    of a job of gen/mesh.py: errors over the standard errors of the report, none
                                       beyond 5, and root mean square within 1.5
       align.py --judge FILE [ppm]     of all such lines: none beyond 4, root mean square within 1.3; drifts
                                       whose standard error is below 0.25 ppm within 1 ppm, with ppm all

A rank's clock shows t + offset + drift * t, t true time.  The standard errors follow from the jitter
SIGMA (ns) of the ends, from how many collectives a rank shares with another, and from when they were.
"""
import csv
import glob
import json
import math
import re
import sys


def truth(folder):
    ranks, ends = {}, {}
    for path in glob.glob(folder + '/rank*.truth.json'):
        with open(path) as f:
            t = json.load(f)
        rank = int(re.search(r'rank(\d+)', path).group(1))
        clock = t.get('clock', t)
        ranks[rank] = (clock['offset_ns'], clock['drift_ppb'])
        with open(path.replace('.truth.json', '.collectives.tsv')) as f:
            ends[rank] = {(r['group'], r['seq']): int(r['true_end_ns']) for r in csv.DictReader(f, delimiter='\t')}
    return ranks, ends


def spread(times, sigma):
    n, mean = len(times), sum(times) / len(times)
    own = sum((t - mean) ** 2 for t in times)
    return mean, sigma * sigma / n, sigma * sigma / own


def compare(report, folder, sigma):
    ranks, ends = truth(folder)
    with open(report) as f:
        found = {int(r['rank']): r for r in csv.DictReader(f, delimiter='\t')}
    assert sorted(found) == sorted(ranks), 'not every rank is reported'
    seen = {}
    for rank in ends:
        for key in ends[rank]:
            seen[key] = seen.get(key, 0) + 1
    shared = {r: [t for k, t in ends[r].items() if seen[k] > 1] for r in ends}
    for r in found:
        assert int(found[r]['anchors']) == len(shared[r]), 'rank %d: anchors %s, not %d' % (
            r, found[r]['anchors'], len(shared[r]))
    o0, d0 = ranks[0]
    mean0, v0, w0 = spread(shared[0], sigma)
    for r in sorted(ranks):
        if r == 0:
            continue
        mean, v, w = spread(shared[r], sigma)
        o, d = ranks[r]
        # The first event of rank 0, for which offsets are told, is at 1 ms: drift makes 50 ns of it.
        start = 1e6
        se_offset = math.sqrt(v + v0 + (mean - start) ** 2 * w + (mean0 - start) ** 2 * w0)
        se_drift = math.sqrt(w + w0) * 1e6
        drift = (1 + d * 1e-9) / (1 + d0 * 1e-9) - 1
        offset = o - o0 + (d - d0) * 1e-9 * start
        print((int(found[r]['offset_ns']) - offset) / se_offset,
              (float(found[r]['drift_ppm']) - drift * 1e6) / se_drift,
              float(found[r]['drift_ppm']) - drift * 1e6 if se_drift < 0.25 else 'nan')


def judge(path, sharp):
    with open(path) as f:
        rows = [[float(x) for x in line.split()] for line in f]
    bad = 0
    for i, what in ((0, 'offset'), (1, 'drift')):
        worst = max(abs(r[i]) for r in rows)
        rms = math.sqrt(sum(r[i] ** 2 for r in rows) / len(rows))
        print('%s: %d errors, worst %.2f, root mean square %.2f' % (what, len(rows), worst, rms))
        bad += worst > 4 or rms > 1.3
    ppm = [abs(r[2]) for r in rows if not math.isnan(r[2])]
    print('%d drifts known to 0.25 ppm, worst %.3f ppm' % (len(ppm), max(ppm, default=0)))
    return bad or max(ppm, default=0) > 1 or (sharp and len(ppm) < len(rows))


def mesh(report, path):
    with open(report) as f:
        found = {int(r['rank']): r for r in csv.DictReader(f, delimiter='\t')}
    with open(path) as f:
        wanted = json.load(f)
    errors = []
    for rank in range(1, wanted['world']):
        row, key = found[rank], str(rank)
        errors.append((int(row['offset_ns']) - wanted['offset_ns'][key]) / max(float(row['offset_se_ns']), 1))
        if float(row['drift_se_ppm']):
            errors.append((float(row['drift_ppm']) - wanted['drift_ppb'][key] / 1000) / float(row['drift_se_ppm']))
    worst, rms = max(abs(e) for e in errors), math.sqrt(sum(e * e for e in errors) / len(errors))
    print('%d errors, worst %.2f, root mean square %.2f' % (len(errors), worst, rms))
    return worst > 5 or rms > 1.5


if sys.argv[1] == '--mesh':
    sys.exit(mesh(sys.argv[2], sys.argv[3]))
if sys.argv[1] == '--judge':
    sys.exit(judge(sys.argv[2], len(sys.argv) > 3) > 0)
compare(sys.argv[1], sys.argv[2], float(sys.argv[3]))
