#!/bin/sh
# SPDX-License-Identifier: MIT
# What-if of jobs with a planted cause is the same job without it, within 3 % of a step; tables of what-if add up; what
# makes times shorter makes no path longer; ranks that are all alike change little.
. "$(dirname "$0")/lib.sh"
need tr-align tr-critpath

# job FOLDER OPTION...: a job with a planted cause as an aligned stream, and its truth.
job()
{
    to=$1
    shift
    mkdir "$to"
    $python -B "$root/tests/gen/job.py" "$@" --output "$to" --truth "$to/truth" >said || exit 99
    tr-align -q "$to"/job000/rank?.json >"$to.trs" 2>said || cp "$to/job000/rank0.json" "$to.trs"
}

# adds_up WHAT: the parts of both totals in the table that was made last.
adds_up()
{
    awk -F '\t' 'NR > 1 && $2 == "total" { all = $3; after = $5 }
        NR > 1 && $2 != "total" { all_parts += $3; parts += $5 }
        END { exit !(all > 0 && all == all_parts && after == parts) }' table
    ok $? "parts add up before and after: $1"
}

# counterpart FOLDER RULE: a step before and after, against the truth.
counterpart()
{
    rule=$2
    [ "$rule" != late ] || rule="rank $($python -c 'import json, sys
print(*json.load(open(sys.argv[1]))["cause_ranks"], sep=", ")' "$1/truth/job000.json") as median"
    tr-critpath --per all --unit ns -O tsv --what-if "$rule" "$1.trs" >table 2>said
    adds_up "$1, $rule"
    $python -c 'import json, re, sys
truth = json.load(open(sys.argv[1]))
found = [1e3 * float(x) for x in re.search(r"takes ([0-9.]+) us, and ([0-9.]+) us", open("said").read()).groups()]
wrong = [f / truth[k] - 1 for f, k in zip(found, ("step_ns", "step_ns_without"))]
print("a step %+.2f %%, with what-if %+.2f %%" % tuple(100 * w for w in wrong))
sys.exit(abs(wrong[0]) > 0.001 or abs(wrong[1]) > 0.03 or truth["impact_pct"] < 3)' "$1/truth/job000.json" >error
    ok $? "$1, $rule: errors of $(cat error)"
}

seed=${TR_SEED:-1}
for family in ddp fsdp moe tp; do
    for variant in host device; do
        job "$family-$variant" --id straggler --variant $variant --family $family --ranks 4 --seed "$seed"
        counterpart "$family-$variant" late
    done
done
counterpart ddp-device ideal
counterpart fsdp-device ideal
job host --id host_bound --variant all --family single --ranks 1 --seed "$seed"
counterpart host 'launch graph'
job network --id exposed_comm --variant network --family fsdp --ranks 4 --seed "$seed"
counterpart network 'comm overlap'
counterpart network "kind == comm scale=$($python -c 'import json
without, with_it = json.load(open("network/truth/job000.json"))["changed"]["net"]
print(with_it / without)')"
job late --id exposed_comm --variant late --strength weak --family ddp --ranks 4 --seed "$seed"
counterpart late 'comm overlap'

# after RULE: the time of the path by a rule.
after()
{
    tr-critpath -q --per all --unit ns -O tsv --what-if "$1" tp-host.trs | awk -F '\t' '$2 == "total" { print $5 }'
}
whole=$(after 'dur >= 0us scale=1')
median=$(after ideal)
best=$(after ideal:best)
[ "$best" -gt 0 ] && [ "$best" -le "$median" ] && [ "$best" -le "$whole" ]
ok $? "the best times give no longer path than median times: $best, $median"
for rule in 'comm overlap' 'launch graph' 'kind == compute scale=0.5' 'kind == comm scale=0'; do
    [ "$(after "$rule")" -le "$whole" ]
    ok $? "no longer path than before: $rule"
done

job clean --id clean --family ddp --ranks 4 --seed "$seed"
tr-critpath --per all --what-if 'rank 1 as median' -O tsv clean.trs >table 2>said
change=$(sed -n 's/.*with --what-if (\([-+.0-9]*\) %).*/\1/p' said)
awk "BEGIN { exit !($change < 1 && $change > -1) }"
ok $? "a rank like the others changes a step by less than 1 %: $change %"
finish
