#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clocks that tr-align finds in jobs whose collectives have no numbers, all one size, some of them lost.

usage: clocks.py BIN TRGEN FOLDER SEEDS CASE...     CASE: RANKS:LENGTH:LOST:NUMBERS[:JITTER], or all

LENGTH  short (60 ms), long (4 s), or bursts: 60 steps, in each of which collectives end 8 us apart, closer than ends
        that jitter by 2 us tell
LOST    share of kernels that are missing
NUMBERS seq (sequence numbers), host (none, but the host's records of the calls) or none
JITTER  deviation of ends, ns [2000]; collectives of short jobs are 1.2 ms apart, and where jitter comes near to that,
        jobs may be refused

One line per case: jobs aligned and refused; errors of offset and drift over their standard errors: the
worst, and the root mean square; those that are wrong.  Wrong is what is beyond 4, or so far that of so many figures
none is there but once in a hundred runs: of 64 ranks in 25 jobs, 1,575 of a kind, one beyond 4 is no surprise.  Then
spreads of arrivals that tr-comm tells of the aligned jobs: collectives of two ranks or more; those made of several;
those that are wrong, beyond 4 standard errors of the two clocks; and those of refused jobs that are made of several,
which stand alone instead.  Status 1 if anything is wrong or mixed, or if the root mean square over 20 jobs or more is
outside of 0.8 to 1.3, or if more than half of the jobs are refused.
"""
import csv
import glob
import json
import math
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time

JITTER = '2000'
LENGTHS = {'short': (10, 350000, 900000), 'long': (160, 20000000, 900000), 'bursts': (60, 1000000, 8000)}


def truth(folder):
    ranks, starts = {}, {}
    for path in glob.glob(folder + '/rank*.truth.json'):
        with open(path) as f:
            clock = json.load(f)
        rank = int(re.search(r'rank(\d+)', path).group(1))
        clock = clock.get('clock', clock)
        ranks[rank] = (clock['offset_ns'], clock['drift_ppb'])
        with open(path.replace('.truth.json', '.collectives.tsv')) as f:
            rows = list(csv.DictReader(f, delimiter='\t'))
        for r in rows:
            starts[rank, r['element']] = r['seq'], int(r['true_start_ns'])
    return ranks, starts


def table(*command):
    ran = subprocess.run(command, stdout=subprocess.PIPE, check=True, universal_newlines=True)
    return csv.DictReader(ran.stdout.splitlines(), delimiter='\t')


class Spreads:
    """What tr-comm says of arrivals in an aligned job, against the truth."""
    def __init__(self):
        self.n = self.mixed = self.wrong = self.refused_mixed = 0
        self.squares = 0.0

    def collectives(self, tools, stream):
        colls = {}
        for m in table(tools + '/tr-comm', '-q', '-O', 'tsv', '--unit', 'ns', '--by', 'member', '--columns',
                       'collective,rank,record,lag_ns', stream):
            colls.setdefault(m['collective'], []).append((int(m['rank']), m['record'], m['lag_ns']))
        return colls

    def add_refused(self, tools, stream, starts):
        """A job without clocks: what is shown as one must be one."""
        for members in self.collectives(tools, stream).values():
            self.refused_mixed += len(set(starts[rank, record][0] for rank, record, _ in members)) > 1

    def add(self, tools, stream, rows, starts):
        subprocess.run([tools + '/tr-align', '-q', '--drift', '-o', stream + '.one', stream], check=True)
        colls = self.collectives(tools, stream + '.one')
        first = min(t for _, t in starts.values())
        for members in colls.values():
            if len(members) < 2 or not all(lag for _, _, lag in members):  # absent where clocks contradict causality
                continue
            known = [starts[rank, record] + (rank,) for rank, record, _ in members]
            self.n += 1
            if len(set(seq for seq, _, _ in known)) > 1:
                self.mixed += 1
                continue
            t0, t1 = min(t for _, t, _ in known), max(t for _, t, _ in known)
            error = max(int(lag) for _, _, lag in members) - (t1 - t0)
            room = sum(sorted(float(rows[r]['offset_se_ns']) + float(rows[r]['drift_se_ppm']) * 1e-6 * (t1 - first)
                              for _, _, r in known)[-2:])
            self.wrong += abs(error) > 4 * room + 3
            self.squares += error * error

    def __str__(self):
        right = self.n - self.mixed
        return 'spreads: %d, mixed %d (refused jobs: %d), wrong %d, rms error %.0f ns' % (
            self.n, self.mixed, self.refused_mixed, self.wrong, math.sqrt(self.squares / right) if right else 0)


def most(n):
    """How many standard errors of n figures the largest may be: 4, or what it exceeds with a chance of 1 in 100."""
    return max(4, statistics.NormalDist().inv_cdf(1 - 0.01 / (2 * n)))


def errors(rows, ranks):
    """Of each rank but the first, over the standard errors that the program tells."""
    start = 1e6  # the reference's first event; drift makes 50 ns of what this is off
    for r in sorted(ranks):
        if r == 0:
            continue
        row, (o0, d0), (o, d) = rows[r], ranks[0], ranks[r]
        offset = int(row['offset_ns']) - (o - o0 + (d - d0) * 1e-9 * start)
        drift = float(row['drift_ppm']) - ((1 + d * 1e-9) / (1 + d0 * 1e-9) - 1) * 1e6
        yield offset / math.hypot(float(row['offset_se_ns']), 1), drift / float(row['drift_se_ppm'])


def job(tools, trgen, folder, seed, ranks, length, lost, numbers, jitter):
    rng = random.Random(seed)
    steps, data, transfer = LENGTHS[length]
    offsets = [0] + [rng.randrange(-10 ** 9, 10 ** 9) for _ in range(ranks - 1)]
    drifts = [0] + [rng.randrange(-50000, 50000) for _ in range(ranks - 1)]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run([trgen, '--output', folder, '--ranks', str(ranks), '--seed', str(seed), '--layers', '0', '--python',
                    '0', '--memory', '0', '--sync', '0', '--shapes', '0', '--metadata', '0', '--collectives', '5',
                    '--comm-sizes', '1', '--end-jitter-ns', jitter, '--missing', lost, '--steps', str(steps),
                    '--data-ns', str(data), '--comm-ns', str(transfer), '--seq', 'both' if numbers == 'seq' else 'none',
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
    ranks, length, lost, numbers, jitter = (text.split(':') + [JITTER])[:5]
    aligned = refused = 0
    found, seconds, spreads = [], 0, Spreads()
    for seed in seeds:
        stream = job(tools, trgen, folder, seed, int(ranks), length, lost, numbers, jitter)
        began = time.time()
        ran = subprocess.run([tools + '/tr-align', '-q', '--drift', '--report', '-O', 'tsv', '--unit', 'ns', stream],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        seconds += time.time() - began
        if ran.returncode not in (0, 1, 3):
            sys.exit('tr-align: %s' % ran.stderr)
        if ran.returncode:
            refused += 1
            spreads.add_refused(tools, stream, truth(folder)[1])
            continue
        aligned += 1
        rows = {int(r['rank']): r for r in csv.DictReader(ran.stdout.splitlines(), delimiter='\t')}
        ranks_of, starts = truth(folder)
        found += list(errors(rows, ranks_of))
        spreads.add(tools, stream, rows, starts)
    shutil.rmtree(folder, ignore_errors=True)
    bad = refused > aligned and jitter == JITTER
    line = '%-24s aligned %3d refused %3d' % (text, aligned, refused)
    for i, what in ((0, 'offset'), (1, 'drift')):
        values = [abs(e[i]) for e in found]
        if not values:
            continue
        rms = math.sqrt(sum(v * v for v in values) / len(values))
        wrong = sum(v > most(len(values)) for v in values)
        line += '  %s: wrong %d of %d, worst %.2f, rms %.2f' % (what, wrong, len(values), max(values), rms)
        low, high = (0.8, 1.3) if len(seeds) >= 20 else (0, 2)  # few jobs: chance has its say
        bad |= wrong > 0 or (jitter == JITTER and not low <= rms <= high)
    bad |= spreads.refused_mixed > 0 or jitter == JITTER and (spreads.wrong > 0 or spreads.mixed > 0)
    print('%s  %s  %.2f s each%s' % (line, spreads, seconds / len(seeds), '  BAD' if bad else ''), flush=True)
    return bad


def main():
    tools, trgen, folder, seeds = sys.argv[1:5]
    cases = sys.argv[5:]
    if cases == ['all']:
        cases = ['%d:%s:%s:%s' % (n, length, lost, numbers) for numbers in ('none', 'host', 'seq')
                 for length in LENGTHS for lost in ('0', '0.05', '0.2') for n in (2, 8, 64)]
    return sum([case(tools, trgen, folder, range(1, int(seeds) + 1), c) for c in cases]) > 0


sys.exit(main())
