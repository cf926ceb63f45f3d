#!/usr/bin/env python3
"""Clocks that tr-align finds in jobs whose collectives have no numbers, all one size, some of them lost.

usage: clocks.py BIN TRGEN FOLDER SEEDS CASE...     CASE: RANKS:LENGTH:LOST:NUMBERS, or all

LENGTH  short (60 ms) or long (4 s)
LOST    share of kernels that are missing
NUMBERS seq (sequence numbers), host (none, but the host's records of the calls) or none

One line per case: jobs aligned and refused; errors of offset and drift over their standard errors: the
worst, and the root mean square; those that are wrong, beyond 4.  Status 1 if there is one, or if the root
mean square over 20 jobs or more is outside of 0.8 to 1.3, or if more than half of the jobs are refused.
"""
import csv
import glob
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import time

JITTER = 2000
LENGTHS = {'short': (10, 350000), 'long': (160, 20000000)}


def truth(folder):
    ranks, ends = {}, {}
    for path in glob.glob(folder + '/rank*.truth.json'):
        with open(path) as f:
            clock = json.load(f)
        rank = int(re.search(r'rank(\d+)', path).group(1))
        clock = clock.get('clock', clock)
        ranks[rank] = (clock['offset_ns'], clock['drift_ppb'])
        with open(path.replace('.truth.json', '.collectives.tsv')) as f:
            ends[rank] = {r['seq']: int(r['true_end_ns']) for r in csv.DictReader(f, delimiter='\t')}
    return ranks, ends


def spread(times):
    n = len(times)
    mean = sum(times) / n
    return mean, JITTER ** 2 / n, JITTER ** 2 / sum((t - mean) ** 2 for t in times)


def errors(rows, ranks, ends):
    """Of each rank but the first, over standard errors: those of the program, else those that jitter has."""
    start = 1e6  # the reference's first event; drift makes 50 ns of what this is off
    seen = {}
    for rank in ends:
        for key in ends[rank]:
            seen[key] = seen.get(key, 0) + 1
    own = {r: spread([t for k, t in ends[r].items() if seen[k] > 1]) for r in ends}
    for r in sorted(ranks):
        if r == 0:
            continue
        row, (o0, d0), (o, d) = rows[r], ranks[0], ranks[r]
        offset = int(row['offset_ns']) - (o - o0 + (d - d0) * 1e-9 * start)
        drift = float(row['drift_ppm']) - ((1 + d * 1e-9) / (1 + d0 * 1e-9) - 1) * 1e6
        if 'offset_se_ns' in row:
            yield offset / math.hypot(float(row['offset_se_ns']), 1), drift / float(row['drift_se_ppm'])
            continue
        (m0, v0, w0), (m, v, w) = own[0], own[r]
        yield (offset / math.sqrt(v + v0 + (m - start) ** 2 * w + (m0 - start) ** 2 * w0),
               drift / (math.sqrt(w + w0) * 1e6))


def job(tools, trgen, folder, seed, ranks, length, lost, numbers):
    rng = random.Random(seed)
    steps, data = LENGTHS[length]
    offsets = [0] + [rng.randrange(-10 ** 9, 10 ** 9) for _ in range(ranks - 1)]
    drifts = [0] + [rng.randrange(-50000, 50000) for _ in range(ranks - 1)]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run([trgen, '--output', folder, '--ranks', str(ranks), '--seed', str(seed), '--layers', '0', '--python',
                    '0', '--memory', '0', '--sync', '0', '--shapes', '0', '--metadata', '0', '--collectives', '5',
                    '--comm-sizes', '1', '--end-jitter-ns', str(JITTER), '--missing', lost, '--steps', str(steps),
                    '--data-ns', str(data), '--seq', 'both' if numbers == 'seq' else 'none',
                    '--offset-ns', ','.join(map(str, offsets)), '--drift-ppb', ','.join(map(str, drifts))], check=True)
    files = ['%s/rank%d.json' % (folder, r) for r in range(ranks)]
    stream = folder + '/job.trs'
    subprocess.run([tools + '/tr-parse', '-q', '-o', stream] + files, check=True)
    if numbers == 'none':
        subprocess.run([tools + '/tr-filter', '-q', 'activity != "comm_record"', '-o', stream + '.less', stream],
                       check=True)
        stream += '.less'
    return stream


def case(tools, trgen, folder, seeds, text):
    ranks, length, lost, numbers = text.split(':')
    aligned = refused = 0
    found, seconds = [], 0
    for seed in seeds:
        stream = job(tools, trgen, folder, seed, int(ranks), length, lost, numbers)
        began = time.time()
        ran = subprocess.run([tools + '/tr-align', '-q', '--drift', '--report', '-O', 'tsv', '--unit', 'ns', stream],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        seconds += time.time() - began
        if ran.returncode not in (0, 1, 3):
            sys.exit('tr-align: %s' % ran.stderr)
        if ran.returncode:
            refused += 1
            continue
        aligned += 1
        rows = {int(r['rank']): r for r in csv.DictReader(ran.stdout.splitlines(), delimiter='\t')}
        found += list(errors(rows, *truth(folder)))
    shutil.rmtree(folder, ignore_errors=True)
    bad = refused > aligned
    line = '%-24s aligned %3d refused %3d' % (text, aligned, refused)
    for i, what in ((0, 'offset'), (1, 'drift')):
        values = [abs(e[i]) for e in found]
        if not values:
            continue
        rms = math.sqrt(sum(v * v for v in values) / len(values))
        wrong = sum(v > 4 for v in values)
        line += '  %s: wrong %d of %d, worst %.2f, rms %.2f' % (what, wrong, len(values), max(values), rms)
        low, high = (0.8, 1.3) if len(seeds) >= 20 else (0, 2)  # few jobs: chance has its say
        bad |= wrong > 0 or not low <= rms <= high
    print('%s  %.2f s each%s' % (line, seconds / len(seeds), '  BAD' if bad else ''), flush=True)
    return bad


def main():
    tools, trgen, folder, seeds = sys.argv[1:5]
    cases = sys.argv[5:]
    if cases == ['all']:
        cases = ['%d:%s:%s:%s' % (n, length, lost, numbers) for numbers in ('none', 'host', 'seq')
                 for length in LENGTHS for lost in ('0', '0.05', '0.2') for n in (2, 8, 64)]
    return sum([case(tools, trgen, folder, range(1, int(seeds) + 1), c) for c in cases]) > 0


sys.exit(main())
