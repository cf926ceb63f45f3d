#!/bin/sh
# SPDX-License-Identifier: MIT
# What must hold between results, whatever the trace is.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view

make_traces . --ranks 3 --steps 3 --layers 3 --counters 10 --graphs 1
for rank in 0 1 2; do
    mv rank$rank.json r$rank.json
    tr-parse --rank $rank -o r$rank.trs r$rank.json
    ok $? "tr-parse, rank $rank"
done
tr-parse --no-provenance -o all.trs r0.trs r1.trs r2.trs && tr-view -O jsonl all.trs >all
ok $? "three streams read as one"

if have tr-merge; then
    tr-merge r2.trs r0.trs r1.trs | tr-view -O jsonl >view
    same all view "the order of the inputs does not matter to tr-merge"
    tr-merge r0.trs r1.trs >m && tr-merge r2.trs m | tr-view -O jsonl >view
    same all view "merging in two steps is merging in one"
else
    skip "merge" "tr-merge is not built"
fi

if have tr-filter; then
    for expr in 'dur > 20us' 'name =~ "^[a-m]"' 'activity == "kernel" && dur < 10us' \
        'has(args.stream)' 'args.stream != 7' 'ts >= 1ms || cat == "kernel"'; do
        tr-filter "$expr" all.trs >once && tr-filter "$expr" once | tr-view -O jsonl >twice &&
            tr-view -O jsonl once >view
        ok $? "tr-filter '$expr'"
        same view twice "'$expr': twice selects what once selects"
        tr-filter -v "$expr" all.trs | tr-view -O jsonl >rest
        sort view rest >parts
        sort all >whole
        same whole parts "'$expr': what it selects and what -v selects are the whole"
        grep -c . view >lines
        tr-filter -c "$expr" all.trs >count
        same lines count "'$expr': -c counts what is selected"
        tr-filter "($expr)" r0.trs r1.trs r2.trs | tr-view -O jsonl >several
        same view several "'$expr': several inputs are one merged input"
    done
    tr-filter 'rank == 1' all.trs | tr-view -O tsv --columns ts,name,record >part
    tr-view -O tsv --columns ts,name,record r1.trs >view
    same view part "one rank of a merged stream is that rank"
else
    skip "filter" "tr-filter is not built"
fi

if have tr-launch; then
    for view in "--by launch" "--by api" "--by api --per stream" "--by api --per step" "--by api --per all"; do
        for unit in ns us ms; do
            # shellcheck disable=SC2086 # several words
            tr-launch $view --unit $unit -O tsv all.trs >table && $python - $unit table <<'END' >said
import csv, decimal, sys
unit, rows = sys.argv[1], list(csv.DictReader(open(sys.argv[2]), delimiter="\t"))
mean = "" if "stream_wait_" + unit in rows[0] else "mean_"
parts = [[r[c + "_" + mean + unit] for c in ("queue", "stream_wait", "start_latency")] for r in rows]
bad = [p for p in parts if p[0] and decimal.Decimal(p[0]) != decimal.Decimal(p[1]) + decimal.Decimal(p[2])]
bad += [p for p in parts if any(x.startswith("-") for x in p) or len({x == "" for x in p}) > 1]
if not any(p[1].strip("0.") and p[2].strip("0.") for p in parts):
    bad.append("no row has both parts")
print("\n".join(map(str, bad)))
sys.exit(bool(bad))
END
            ok $? "tr-launch $view, $unit: queue = stream_wait + start_latency in each row"
            sed '/./s/^/# /' said
        done
    done
else
    skip "launch" "tr-launch is not built"
fi

if have tr-breakdown; then
    tr-breakdown --unit ns -O tsv all.trs >table &&
        $python - table <<'END' >said
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1]), delimiter="\t"))
bad = [] if len(rows) == 3 else ["%d rows, 3 ranks" % len(rows)]
for r in rows:
    v = {k[:-3]: int(x) for k, x in r.items() if k.endswith("_ns")}
    for what, a, b in (
            ("idle + busy = span", v["idle"] + v["busy"], v["span"]),
            ("compute + exposed comm + exposed memory + other = busy",
             v["compute"] + v["exposed_comm"] + v["exposed_memory"] + v["other"], v["busy"]),
            ("compute + non_compute = busy", v["compute"] + v["non_compute"], v["busy"])):
        if a != b:
            bad.append("rank %s: %s: %d and %d" % (r["rank"], what, a, b))
print("\n".join(bad))
sys.exit(bool(bad))
END
    ok $? "the parts of a breakdown add up"
    sed '/./s/^/# /' said
    for rank in 0 1 2; do
        tr-breakdown --unit ns -O tsv r$rank.trs | sed 1d
    done >rows
    sed 1d table >view
    same view rows "each rank alone gives its row of the whole"
    if have tr-filter; then
        tr-filter 'activity in ("kernel", "memcpy", "memset")' all.trs |
            tr-breakdown --unit ns -O tsv >view
        same table view "a breakdown rests on device work alone"
    fi
else
    skip "breakdown" "tr-breakdown is not built"
fi

if have tr-diff; then
    tr-diff -O tsv r0.trs r0.trs | $python -c '
import csv, sys
rows = csv.DictReader(sys.stdin, delimiter="\t")
sys.exit(any(float(r["diff_us"]) or int(r["diff_count"]) for r in rows))'
    ok $? "a trace does not differ from itself"
else
    skip "diff" "tr-diff is not built"
fi
finish
