#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/recipes/ranks.mk: reports of all ranks, and again no more than has changed.
. "$(dirname "$0")/../harness/tap.sh"
gen=${TR_GEN:-$built/gen/trgen}
for t in tr-parse tr-view tr-merge tr-align tr-comm tr-info tr-breakdown tr-overlap tr-report; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
make=
for m in gmake make; do
    case $($m --version 2>/dev/null | head -n 1) in "GNU Make "[4-9]*) make=${make:-$m} ;; esac
done
[ "$make" ] || skip_all "no GNU make 4 or later"

# recipe OPTION...: run it, what it does to the file did; what it said if it fails is in the log
recipe()
{
    "$make" -f "$root/contrib/recipes/ranks.mk" TRACES='in/*/*.json' OUT=out "$@" >did 2>err || {
        status=$?
        sed 's/^/# /' err
        return $status
    }
}
# does TEXT: how many of its commands hold a text
does()
{
    grep -c -e "$1" did
}

mkdir -p in/a in/b
"$gen" --ranks 3 --steps 2 --layers 2 --no-truth --output in/a && mv in/a/rank2.json in/b/
recipe -j 3
ok $? "all reports"
is "$(does tr-parse) $(does files0)" "3 1" "every rank is parsed once, and all are merged once"
is "$(cd out && echo *)" "aligned.trs breakdown.tsv comm.tsv info.json job.list job.trs overlap.tsv stragglers.tsv streams types.tsv" "what there is then"
tr-merge in/a/rank0.json in/a/rank1.json in/b/rank2.json >job.trs
tr-view -O jsonl job.trs >want && tr-view -O jsonl out/job.trs >have
cmp want have >wrong
none wrong "the stream holds the events of all ranks"
tr-align -o aligned.trs job.trs
tr-breakdown -O tsv aligned.trs | cmp - out/breakdown.tsv >wrong
tr-overlap -O tsv aligned.trs | cmp - out/overlap.tsv >>wrong
tr-breakdown -O tsv --by type --per rank aligned.trs | cmp - out/types.tsv >>wrong
tr-comm -O tsv aligned.trs | cmp - out/comm.tsv >>wrong
tr-comm --by straggler -O tsv aligned.trs | cmp - out/stragglers.tsv >>wrong
none wrong "the reports are those of the programs"

# times that leave no doubt
age()
{
    touch -t 202001010000 in/*/*.json
    touch -t 202001020000 out/streams/* out/job.list
    touch -t 202001030000 out/job.trs
    touch -t 202001031200 out/aligned.trs
    touch -t 202001040000 out/*.tsv out/*.json
}
age
recipe
is "$? $(does tr-)" "0 0" "nothing has changed: nothing is done"
touch in/a/rank1.json
recipe -n
is "$(does tr-parse) $(does 'tr-parse.*in/a/rank1.json')" "1 1" "one rank has changed: it alone is to be parsed"
recipe
is "$(does 'tr-parse ') $(does 'tr-merge .*files0') $(does 'tr-align ') $(does tr-info) $(does tr-breakdown) $(does tr-comm)" "1 1 1 1 2 2" \
    "one rank has changed: it is parsed, and what depends on all is made anew"
age
rm out/overlap.tsv
recipe
is "$(does tr-) $(does tr-overlap)" "1 1" "one report is missing: it alone is made"
age
"$gen" --ranks 4 --steps 2 --layers 2 --no-truth --output in/a && rm in/a/rank2.json
touch -t 202001010000 in/*/*.json
recipe
is "$(does tr-parse) $(does files0) $(does tr-info)" "1 1 1" "a rank more: it is parsed, all are merged"
is "$(tail -n +2 out/breakdown.tsv | cut -f 1 | tr '\n' ' ')" "0 1 2 3 " "a rank more: it is in the reports"
age
rm in/a/rank3.json
recipe
is "$(does tr-parse) $(does files0) $(tail -n +2 out/breakdown.tsv | wc -l | tr -d ' ')" "0 1 3" "a rank less"

age
recipe TRACES='in/a/rank0.json' 2>err
is "$? $(tail -n +2 out/breakdown.tsv | cut -f 1)" "0 0" "one rank alone, whose clock is as good as any"

# what goes wrong leaves nothing half made
age
cp out/breakdown.tsv before
echo 'no trace' >in/a/rank1.json
recipe -k
[ $? -ne 0 ]
ok $? "a trace that cannot be read: make fails"
cmp before out/breakdown.tsv >wrong
none wrong "a trace that cannot be read: reports are as they were"
recipe TRACES='none/*.json'
[ $? -ne 0 ]
ok $? "no such traces: make fails"
like "$(cat err)" '*no trace: none/*.json*' "no such traces: it says so"
cp in/a/rank0.json in/a_rank0.json
recipe TRACES='in/a/rank0.json in/a_rank0.json'
[ $? -ne 0 ]
ok $? "two names that would be one: make fails"
rm in/a_rank0.json
recipe clean
is "$(ls out 2>/dev/null)" "" "clean"

# the page, from what each trace adds to it
rm -r in && mkdir -p in/a in/b
"$gen" --ranks 3 --steps 2 --layers 2 --no-truth --output in/a && mv in/a/rank2.json in/b/
# page NAME TRACE...: what one run prints
page()
{
    tr-report -q --distinct=64 -o want "$@" && cmp want out/report.txt
}
recipe -j 3 EXPECT=0..2 page
is "$? $(does save-partial)" "0 3" "the page: each trace is read once"
page in/a/rank0.json in/a/rank1.json in/b/rank2.json >wrong 2>&1
none wrong "the page is that of one run"
recipe EXPECT=0..2 page
is "$? $(does tr-)" "0 0" "the page: nothing has changed, nothing is done"
cp in/a/rank1.json whole
age_parts()
{
    touch -t 202001010000 in/*/*.json
    touch -t 202001020000 out/said/* out/parts.list
    touch -t 202001030000 out/missing
}
age_parts
echo 'no trace' >in/a/rank1.json
recipe EXPECT=0..2 page
[ $? -ne 0 ]
ok $? "the page: make fails for a trace that is refused"
is "$(cat out/missing) $(does save-partial)" "in/a/rank1.json: tr-report: in/a/rank1.json: unknown format (see tr-parse --list-formats)
tr-report: 1 rank is missing: 1 1" "the page: it is named, and its rank"
page in/a/rank0.json in/b/rank2.json >wrong 2>&1
none wrong "the page is that of one run over the others"
cp whole in/a/rank1.json
recipe EXPECT=0..2 page
is "$? $(does save-partial)" "0 1" "the page: the trace is whole again"

# a part that is damaged
cp out/parts/in_a_rank1.part part
head -c 20000 part >out/parts/in_a_rank1.part
rm out/missing
recipe page >log
status=$?
[ $status -ne 0 ] && grep -q 'in_a_rank1.part' err
ok $? "the page: a part that is damaged is named"
cp part out/parts/in_a_rank1.part

rm in/b/rank2.json
recipe page
is "$? $(does save-partial)" "0 0" "the page: a rank less"
page in/a/rank0.json in/a/rank1.json >wrong 2>&1
none wrong "the page is about those that are there"
recipe clean
is "$(ls out 2>/dev/null)" "" "clean, of parts too"
finish
