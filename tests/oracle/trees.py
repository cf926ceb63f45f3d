# SPDX-License-Identifier: MIT
"""tr-diff --by tree against a program that lays two trees on each other by brute force.

usage: trees.py BIN SEEDS

Trees are random; that of the test is that of the base with a few changes.  The rules are those of tr-diff(1).  Also: a
trace does not differ from itself, and if the runs change places, so do the sides of all rows.
"""
import functools
import json
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import seeds
OPERATORS = ("aten::mm", "aten::add", "aten::to", "aten::linear", "f.py(%d): g", "jit@0x%x", "sdpa")
KERNELS = ("gemm", "relu", "softmax<0x%x>", "attn")
APIS = ("cudaLaunchKernel", "cudaLaunchKernel", "hipModuleLaunchKernel", "cuLaunchKernel")
SAME = {"f.py(%d): g": "f.py: g", "jit@0x%x": "jit@0x", "softmax<0x%x>": "softmax<0x>",
        "hipModuleLaunchKernel": "cuLaunchKernel"}


class Node:
    def __init__(self, kind, name, children=()):
        self.kind, self.name, self.children = kind, name, list(children)

    def copy(self):
        return Node(self.kind, self.name, [c.copy() for c in self.children])

    def work(self):
        """Device work below it, and its duration."""
        if self.kind == "work":
            return [self]
        return [w for c in self.children for w in c.work()]


# ---- random trees ----

def new_node(rng, depth):
    r = rng.random()
    if depth > 4 or r < 0.3:
        work = [Node("work", rng.choice(KERNELS)) for _ in range(rng.choice((1, 1, 1, 2)))]
        return Node("call", rng.choice(APIS), work)
    if r < 0.4:
        return Node("operator", rng.choice(OPERATORS))
    return Node("operator", rng.choice(OPERATORS), [new_node(rng, depth + 1) for _ in range(rng.randrange(0, 4))])


def change(rng, nodes, depth=0):
    """Change a list of nodes at a random place."""
    i = rng.randrange(len(nodes) + 1)
    if i < len(nodes) and nodes[i].kind != "work" and rng.random() < 0.7:
        return change(rng, nodes[i].children, depth + 1)
    if not depth or nodes and nodes[0].kind != "work":
        r = rng.random()
        if i < len(nodes) and r < 0.3:
            del nodes[i]
        elif i < len(nodes) and r < 0.5 and nodes[i].kind == "operator":
            nodes[i].name = rng.choice(OPERATORS)
        elif i < len(nodes) and r < 0.7:
            nodes[i] = Node("operator", rng.choice(OPERATORS), [nodes[i]])
        elif i < len(nodes) and r < 0.8 and nodes[i].kind == "operator":
            nodes[i:i + 1] = nodes[i].children
        elif i < len(nodes) and r < 0.9:
            nodes.insert(i, nodes[i].copy())
        else:
            nodes.insert(i, new_node(rng, depth))
    elif i < len(nodes):
        nodes[i].name = rng.choice(KERNELS)
    return None


# ---- traces ----

class Trace:
    def __init__(self, rng, threads):
        self.rng, self.events, self.calls, self.at = rng, [], 0, 1000
        self.device = 100000
        for thread, roots in enumerate(threads):
            for root in roots:
                self.host(root, thread + 1)

    def add(self, node, cat, place, start, length, args):
        node.record = len(self.events)
        node.start = start
        name = node.name
        if "%" in name:
            name = name % self.rng.randrange(1, 1000)
        node.printed = name
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": place[0], "tid": place[1], "ts": start,
                            "dur": length, "args": args})

    def host(self, node, thread, operator=None):
        start = self.at
        self.at += 2
        event = len(self.events)
        args = {}
        if node.kind == "call":
            self.calls += 1
            args = {"correlation": self.calls}
        elif self.rng.random() < 0.5:
            args = {"Input Dims": [[self.rng.randrange(3)], []], "Input type": ["float", ""],
                    "Input Strides": [[1], []], "Concrete Inputs": ["", str(self.rng.randrange(3))]}
        node.values = tuple(json.dumps(args[k], separators=(",", ":")) if k in args else ""
                            for k in ("Input Dims", "Input type", "Input Strides", "Concrete Inputs"))
        self.add(node, "cpu_op" if node.kind == "operator" else "cuda_runtime", (100, thread), start, 1, args)
        for child in node.children:
            if child.kind != "work":
                self.host(child, thread, node if node.kind == "operator" else operator)
                continue
            child.operator = operator
            child.length = self.rng.randrange(1, 9)
            self.add(child, "kernel", (0, 7), self.device, child.length,
                     {"correlation": self.calls, "device": 0, "stream": 7})
            self.device += child.length + self.rng.randrange(0, 3)
        self.at += 2
        self.events[event]["dur"] = self.at - 1 - start

    def write(self, path):
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"schemaVersion": 1, "traceEvents": self.events}, f)


# ---- two trees on each other ----

def name_of(node):
    return SAME.get(node.name, node.name)


def taking_part(node):
    return [c for c in node.children if c.work()]


def shape(node):
    return (name_of(node), node.kind == "work", tuple(shape(c) for c in taking_part(node)))


def levels(node):
    out, level = [], [node]
    for _ in range(4):
        level = [c for n in level for c in taking_part(n)]
        out.append([name_of(n) for n in level])
    return out


def agree(a, b):
    n = 0
    for x, y in zip(levels(a), levels(b)):
        if x != y:
            break
        n += 1
    return n


def align(a, b, key):
    """Places (i, j) of matches."""
    m, n, begin, after = len(a), len(b), 0, []
    if m == n and all(key(x) == key(y) for x, y in zip(a, b)):
        return [(i, i) for i in range(m)]
    equal = lambda x, y: key(x) == key(y) and shape(x) == shape(y)
    while begin < m and begin < n and equal(a[begin], b[begin]):
        begin += 1
    while m > begin and n > begin and equal(a[m - 1], b[n - 1]):
        m, n = m - 1, n - 1
        after.append((m, n))

    @functools.lru_cache(maxsize=None)
    def best(i, j):
        """The score of the first i and j elements."""
        if i == begin or j == begin:
            return (0, 0)
        score = max(best(i - 1, j), best(i, j - 1))
        if key(a[i - 1]) == key(b[j - 1]):
            s = best(i - 1, j - 1)
            score = max(score, (s[0] + 1, s[1] + agree(a[i - 1], b[j - 1])))
        return score

    found, i, j = [], m, n
    while i > begin and j > begin:
        x, y = a[i - 1], b[j - 1]
        s = best(i - 1, j - 1)
        if key(x) == key(y) and best(i, j) == (s[0] + 1, s[1] + agree(x, y)):
            i, j = i - 1, j - 1
            found.append((i, j))
        elif best(i - 1, j) == best(i, j) and (best(i, j - 1) != best(i, j) or name_of(x) > name_of(y)):
            i -= 1
        elif best(i, j - 1) == best(i, j) and (best(i - 1, j) != best(i, j) or name_of(x) < name_of(y)):
            j -= 1
        else:
            raise Tie
    return [(i, i) for i in range(begin)] + found[::-1] + after[::-1]


class Tie(Exception):
    """Two matches are equally good, and only an order that is no rule decides."""


def gaps(a, b, matches):
    i = j = 0
    for x, y in matches + [(len(a), len(b))]:
        yield a[i:x], b[j:y], (a[x], b[y]) if x < len(a) else None
        i, j = x + 1, y + 1


def launches(node):
    return any(c.kind == "work" for c in node.children)


def wrappers(nodes, names):
    return [n for n in nodes if n.kind == "operator" and any(name_of(c) in names for c in taking_part(n))]


def chain_end(node):
    while node.kind == "operator" and len(taking_part(node)) == 1 and not launches(taking_part(node)[0]):
        node = taking_part(node)[0]
    return node


def children_key(side):
    def key(node):
        names = tuple(name_of(c) for c in taking_part(node))
        return names if node.kind == "operator" and names else side
    return key


def merge(a, b, turn=0):
    out = []
    for left, right, match in gaps(a, b, align(a, b, name_of)):
        if left and right:
            out += rest(left, right, turn)
        else:
            out += [(x, None) for x in left] + [(None, y) for y in right]
        out += [match] if match else []
    return out


def rest(left, right, turn):
    """What is left between two matches."""
    opened = [wrappers(left, {name_of(n) for n in right}), wrappers(right, {name_of(n) for n in left})]
    if turn < 8 and (opened[0] or opened[1]):
        if opened[0] and opened[1]:
            if name_of(opened[0][0]) == name_of(opened[1][0]):
                raise Tie
            side = name_of(opened[0][0]) > name_of(opened[1][0])
        else:
            side = not opened[0]
        unpack = lambda nodes: [c for n in nodes for c in (taking_part(n) if n in opened[side] else [n])]
        return merge(left, unpack(right), turn + 1) if side else merge(unpack(left), right, turn + 1)
    alike = all(bool(x.work()) == bool(y.work()) for x, y in zip(left, right))
    if len(left) == len(right) and alike and not any(launches(n) for n in left + right):
        return list(zip(left, right))
    ends = [chain_end(n) for n in left], [chain_end(n) for n in right]
    if turn < 8 and (ends[0] != left or ends[1] != right):
        return merge(ends[0], ends[1], turn + 1)
    out = []
    keys = {id(n): children_key(side)(n) for side, nodes in ((1, left), (2, right)) for n in nodes}
    for x, y, match in gaps(left, right, align(left, right, lambda n: keys[id(n)])):
        out += [(n, None) for n in x] + [(None, n) for n in y] + ([match] if match else [])
    return out


def children(x, y):
    if not x or not y:
        return [(c, None) for c in taking_part(x)] if x else [(None, c) for c in taking_part(y)]
    names = [{name_of(c) for c in taking_part(n)} for n in (x, y)]
    lists = [[c for c in n.children if c.work() or (c.kind == "operator" and name_of(c) in other - own)]
             for n, own, other in ((x, *names), (y, *names[::-1]))]
    return merge(*lists)


def in_order(pairs):
    """Matched first, then those of the base."""
    return sorted(pairs, key=lambda p: 0 if p[0] and p[1] else 1 if p[0] else 2)


def us(node):
    return "%d.000" % sum(w.length for w in node.work()) if node else "0.000"


def who(x, y):
    return "both" if x and y else "base" if x else "test"


def place_of(x, y):
    both = x and y and name_of(x) != name_of(y)
    return x.printed + " | " + y.printed if both else (x or y).printed


NODES = "rank,node,depth,run,base_record,test_record,base_us,test_us,base_name,test_name,tree"


def rows_of(pairs, depth, out):
    """Rows of the merged tree."""
    for x, y in in_order(pairs):
        mark = "- " if not y else "+ " if not x else "! " if name_of(x) != name_of(y) else "  "
        out.append(("0", str(len(out)), str(depth), who(x, y), str(x.record) if x else "", str(y.record) if y else "",
                    us(x), us(y), x.printed if x else "", y.printed if y else "",
                    mark + "  " * depth + place_of(x, y)))
        rows_of(children(x, y), depth + 1, out)
    return out


# ---- names opposite each other ----

PAIRS = "run,count,base_us,test_us,diff_us,base_name,test_name"


def pairs_of(rows):
    found = {}
    for r in rows:
        n, base, test = found.get((r[8], r[9]), (0, 0, 0))
        found[(r[8], r[9])] = (n + 1, base + float(r[6]), test + float(r[7]))
    return sorted((who(a, b), str(n), "%.3f" % x, "%.3f" % y, "%.3f" % (y - x), a, b)
                  for (a, b), (n, x, y) in found.items())


# ---- device work ----

KERNELS_OF = "rank,run,record,dur_us,point,point_busy_us,operator_record,shapes,dtypes,strides,args,operator,place,name"


def union(work):
    end = total = 0
    for w in sorted(work, key=lambda w: w.start):
        total += max(0, w.start + w.length - max(end, w.start))
        end = max(end, w.start + w.length)
    return total


def kernels_of(pairs, owner, point, counter, out):
    """owner: number and place of the matched node whose children these are; point: the same and the time that work
    of each side is active."""
    if owner and any(not x or not y for x, y in pairs):
        only = [[w for p in pairs if p[side] and not p[1 - side] for w in p[side].work()] for side in (0, 1)]
        point = (*owner, [union(only[0]), union(only[1])])
    for pair in in_order(pairs):
        x, y = pair
        number = str(counter[0])
        counter[0] += 1
        itself = x and y and x.kind == "work"
        at = (number, place_of(x, y), [x.length, y.length]) if itself else point
        for side, node in enumerate(pair):
            if not node or node.kind != "work":
                continue
            op = node.operator
            out.append(("0", ("base", "test")[side], str(node.record), "%d.000" % node.length, at[0],
                        "%d.000" % at[2][side], str(op.record) if op else "", *(op.values if op else ("",) * 4),
                        op.printed if op else "", at[1], node.printed))
        kernels_of(children(x, y), (number, place_of(x, y)) if x and y else None, point, counter, out)
    return out


def roots(threads):
    return [n for t in threads for n in t if n.kind == "operator" or n.work()]


# ---- points ----

POINTS = "change,place,base_only,test_only,points,base_work,test_work,base_us,test_us,diff_us,base_busy_us," \
         "test_busy_us,base_below_us,test_below_us"


def points_of(pairs, owner, place, out):
    """Device work by what only one side has, by renamed work, and of what is equal."""
    only = [[n for p in pairs for n in [p[side]] if n and not p[1 - side] and n.work()] for side in (0, 1)]
    if only[0] or only[1]:
        lists = []
        for nodes in only:
            names = []
            for n in nodes:
                for named in (n.work() if n.kind == "call" else [n]):
                    if named.printed not in names:
                        names.append(named.printed)
            lists.append(", ".join(names[:8] + ["..."] if len(names) > 8 else names))
        add(out, ("differs", place, *lists), [[w for n in nodes for w in n.work()] for nodes in only], owner)
    for x, y in pairs:
        if not x or not y:
            continue
        renamed = name_of(x) != name_of(y)
        work = [[x], [y]] if x.kind == "work" else [[], []]
        if renamed:
            add(out, ("renamed", place, x.printed, y.printed), work, (x, y))
        elif x.kind == "work":
            add(out, ("equal", "", "", ""), work, (x, y))
        points_of(children(x, y), (x, y), place + " > " + place_of(x, y) if place else place_of(x, y), out)
    return out


def add(out, key, work, owner):
    row = out.setdefault(key, [0] * 9)
    row[0] += 1
    for side in (0, 1):
        row[1 + side] += len(work[side])
        row[3 + side] += sum(w.length for w in work[side])
        row[5 + side] += union(work[side])
        row[7 + side] += sum(w.length for w in owner[side].work()) if owner[side] else 0


def printed(row):
    n, a, b, base, test, *rest = row
    return tuple(str(v) for v in (n, a, b)) + tuple("%d.000" % v for v in (base, test, test - base, *rest))


# ---- the program ----

def run(tool, by, columns, a, b):
    done = subprocess.run([tool, "--by", by, "--columns", columns, "-q", "-O", "tsv", a, b], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise AssertionError("status %d: %s" % (done.returncode, done.stderr.decode()))
    return [tuple(line.split("\t")) for line in done.stdout.decode().split("\n")[1:-1]]


def check(tool, rng, folder, counts):
    base = [[new_node(rng, 0) for _ in range(rng.randrange(1, 6))] for _ in range(rng.choice((1, 1, 2)))]
    test = [[n.copy() for n in t] for t in base]
    for _ in range(rng.randrange(0, 6)):
        change(rng, rng.choice(test))
    paths = [os.path.join(folder, name) for name in ("a.json", "b.json")]
    Trace(rng, base).write(paths[0])
    Trace(rng, test).write(paths[1])
    mirror = {"base": "test", "test": "base", "both": "both"}
    if not any(n.work() for t in base for n in t) or not any(n.work() for t in test for n in t):
        return
    try:
        pairs = merge(roots(base), roots(test))
        want = rows_of(pairs, 0, [])
        got = run(tool, "tree,node", NODES, *paths)
        differs = [(i, g, w) for i, (g, w) in enumerate(zip(got, want)) if g != w]
        assert got == want, "the merged tree, of %d and %d rows: (row, printed, expected) %s" % (
            len(got), len(want), differs[:3])
        mirrored = sorted((r[2], mirror[r[3]], r[5], r[4], r[7], r[6], r[9], r[8]) for r in got)
        assert sorted(r[2:10] for r in run(tool, "tree,node", NODES, *paths[::-1])) == mirrored, "the other way round"
        got = sorted(run(tool, "tree,pair", PAIRS, *paths))
        assert got == pairs_of(want), "pairs: %s, not %s" % (got, pairs_of(want))
        got = run(tool, "tree,kernel", KERNELS_OF, *paths)
        want = kernels_of(pairs, ("", ""), ("", "", [0, 0]), [0], [])
        assert got == want, "work: %s" % [(g, w) for g, w in zip(got, want) if g != w][:2]
        points = points_of(pairs, (None, None), "", {})
        got = run(tool, "tree", POINTS, *paths)
        want = {k: printed(row) for k, row in points.items()}
        assert {g[:4]: g[4:] for g in got} == want and len(got) == len(want), "points: %s, not %s" % (got, want)
        counts["compared"] += 1
    except Tie:
        counts["ties"] += 1
    itself = run(tool, "tree,node", "run,base_record,test_record", paths[0], paths[0])
    assert all(r[0] == "both" and r[1] == r[2] for r in itself), "a trace differs from itself"
    assert [r[0] for r in run(tool, "tree", "change", paths[0], paths[0])] == ["equal"], "points of itself"


def main():
    tool, of = os.path.join(sys.argv[1], "tr-diff"), seeds.of(sys.argv[2])
    counts = {"compared": 0, "ties": 0}
    with tempfile.TemporaryDirectory() as folder:
        for seed in of:
            try:
                check(tool, random.Random(seed), folder, counts)
            except AssertionError as why:
                print("not ok - trees.py: seed %d: %s" % (seed, str(why)[:2000]))
                return
    enough = counts["compared"] * 3 > len(of)
    print("%s - trees.py: %d pairs of trees, %d more with ties" % ("ok" if enough else "not ok", counts["compared"],
                                                                 counts["ties"]))
    print("1..1")


main()
