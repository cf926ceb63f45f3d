#!/bin/sh
# SPDX-License-Identifier: MIT
# --every: a program whose input comes in parts prints tables, each with more than the one before, and at the end that of
# a run without --every; unit/snapshot.sh compares each table of the way with that of a run which ends there.
. "$(dirname "$0")/../harness/tap.sh"
trgen=${TR_GEN:-gen/trgen}
case $trgen in /*) ;; *) trgen=$built/$trgen ;; esac
[ -x "$trgen" ] || skip_all "the generator is not built"
python=${PYTHON:-python3}
command -v "$python" >/dev/null || skip_all "no Python"
"$trgen" --output . --no-truth --seed 3 --steps 4 --layers 1 --streams 2 >/dev/null || skip_all "the generator failed"
tr-parse -q --no-provenance --block-events 100 rank0.json >job.trs || skip_all "tr-parse failed"
n=$(wc -c <job.trs)

# The stream in parts, each after some time.
slowly()
{
    at=0
    while [ $at -lt "$n" ]; do
        dd if=job.trs bs=4096 skip=$((at / 4096)) count=3 2>/dev/null
        at=$((at + 3 * 4096))
        sleep 0.1
    done
}
parts=$((n / 4096 / 3))
[ $parts -gt 3 ]
ok $? "the stream comes in $parts parts"

day='^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z$'

# every TOOL OPTION...: the tables
every()
{
    slowly | "$@" --every 10ms - >all 2>err
    ok $? "$*: printed"
    [ ! -s err ]
    ok $? "$*: no message on the way: $(cat err)"
    "$@" - <job.trs >want 2>/dev/null
    grep "$day" all >days
    [ "$(wc -l <days)" -ge 2 ]
    ok $? "$*: $(wc -l <days) times between tables"
    [ "$(grep -c '^$' all)" -ge "$(wc -l <days)" ] && sed "1,$(grep -n "$day" all | tail -1 | cut -d: -f1)d" all >have
    cmp -s have want
    ok $? "$*: the last table"
    sed "/$day/,\$d" all >first
    if cmp -s first want; then ok 1 "$*: the first table is not the last"; fi
}
for tool in breakdown overlap launch comm memory sum util; do
    every tr-$tool -q -O tsv
done
every tr-counters -q -O tsv --by queue
every tr-categorize -q -O tsv --by class
every tr-critpath -q -O tsv --by count
every tr-roofline -q -O tsv
every tr-flame -q -O tsv
every tr-breakdown -q -O tsv --by kernel --sort sum --top 3 -j 4
every tr-breakdown -q -O text --by kernel --by time
every tr-report -q

# Partial results among the inputs are in each table
mkdir more && "$trgen" --output more --no-truth --seed 4 --steps 2 --layers 1 >/dev/null
tr-parse -q --rank 1 more/rank0.json | tr-breakdown -q --by kernel --save-partial 1.part -
every tr-breakdown -q -O tsv --by kernel --distinct 1024 1.part
sed '/^20..-/,$d' all | cut -f 1 | sort -u | tr '\n' ' ' >have
[ "$(cat have)" = ' 0 1 rank ' ] || [ "$(cat have)" = '0 1 rank ' ]
ok $? "partial results among the inputs are in the first table: $(cat have)"

# JSON: values, one after the other
slowly | tr-breakdown --by kernel --every 10ms -O json - >all 2>err
"$python" -c '
import json, sys
text, counts = open("all").read(), []
while text.strip():
    rows, end = json.JSONDecoder().raw_decode(text.lstrip())
    text = text.lstrip()[end:]
    counts.append(sum(row["count"] for row in rows))
assert len(counts) > 2 and counts == sorted(counts) and counts[0] < counts[-1], counts
'
ok $? "JSON is one value after the other"

# A file is replaced: it is there before the end, and complete at any time
for format in tsv svg html; do
    rm -f table
    slowly | tr-breakdown --by kernel --every 10ms -O $format -o table - 2>err &
    while [ ! -s table ] && kill -0 $! 2>/dev/null; do
        sleep 0.02
    done
    cp table early
    wait $!
    ok $? "-O $format -o: $(cat err)"
    tr-breakdown --by kernel -O $format - <job.trs | sed 's/-O [a-z]* -/-/' >want
    sed "s/--every 10ms -O $format -o table -/-/" table >have
    cmp -s have want
    ok $? "-O $format -o: the file of the end"
    if cmp -s early table; then ok 1 "-O $format -o: there was one before"; fi
    [ -z "$(find . -name '.tr-*')" ]
    ok $? "-O $format -o: no other file is left"
done

# On a terminal, text takes the place of the text before
slowly | TR_PAGER=false tr-breakdown -q --every 10ms --assume-terminal stdout - >all 2>err
[ "$(grep -c "$(printf '\033')\[H" all)" -ge 3 ] && ! grep -q "$day" all
ok $? "a terminal: the screen is cleared, and no pager starts"

# Outputs that end
{ slowly 2>/dev/null | { tr-breakdown --every 10ms -O tsv - 2>err; echo $? >status; } | head -1; } >/dev/null
[ "$(cat status)" = 141 ] && [ ! -s err ]
ok $? "a reader that leaves ends the run: $(cat status err)"
if [ -c /dev/full ]; then
    slowly 2>/dev/null | tr-breakdown --every 10ms -O tsv - >/dev/full 2>err
    [ $? = 4 ] && grep -q 'No space' err && [ "$(wc -l <err)" = 1 ]
    ok $? "a full disk ends the run: $(cat err)"
fi

# refused WORD OPTION...: with status 2
refused()
{
    word=$1
    shift
    "$@" </dev/null >out 2>err
    [ $? = 2 ] && grep -q -e "$word" err
    ok $? "$*: $(cat err)"
}
refused 'none' tr-breakdown --every 1s --save-partial x.part job.trs
refused '-o' tr-breakdown --by kernel --every 1s -O svg job.trs
refused 'end of a run' tr-breakdown --every 1s -O sqlite -o x.db job.trs
refused 'every' tr-breakdown --every 0s job.trs
refused 'only --top' tr-patterns --mark --every 1s job.trs
refused 'only --top' tr-patterns --mark --save-partial x.part job.trs
refused 'about tables' tr-flame -O folded --every 1s job.trs
refused 'about tables' tr-critpath --mark --every 1s job.trs
refused 'about tables' tr-counters --every 1s job.trs
refused 'about tables' tr-categorize --every 1s job.trs
tr-report -q --save-partial x.part job.trs
refused 'once' tr-report --every 1s x.part
finish
