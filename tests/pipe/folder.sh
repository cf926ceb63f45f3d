#!/bin/sh
# SPDX-License-Identifier: MIT
# A folder as operand stands for the traces in it: in the order of ranks, what is no trace left out, and both told.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-breakdown tr-view; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
mkdir -p job/older/run empty unranked others
make_sample >a.json
for rank in 2 10; do
    sed "s/\"rank\": 0/\"rank\": $rank/" a.json >job/rank$rank.json
done
sed 's/"rank": 0/"rank": 1/' a.json | tr-parse -q -o job/rank1.trs -
sed 's/"rank": 0/"rank": 3/' a.json | gzip >job/rank3.json.gz
cp a.json job/older/run/rank0.json # deeper than --depth
cp a.json job/.rank7.json
echo '{"lr": 0.1}' >job/config.json
echo 'step,loss' >job/loss.csv
: >job/log
ln -s none job/gone
for t in $(built_tools); do
    case $t in
    tr-diff | tr-plot) continue ;;
    esac
    need=$(operands "$t")
    ! $t --option-table | cut -f 3 | grep -qx no-provenance || need="--no-provenance $need"
    eval "$t -q $need job" >have 2>said
    status=$?
    eval "$t -q $need job/rank1.trs job/rank2.json job/rank3.json.gz job/rank10.json" >want 2>>said
    is $status $? "$t: status"
    if [ "$t" = tr-report ]; then # its commands name what it was given
        for out in have want; do
            sed -e '/^\$ /!b' -e :more -e '/\\$/{N;b more' -e '}' -e d $out | sed '1{/^$/d;}' >$out.figures
            mv $out.figures $out
        done
    fi
    cmp want have && [ ! -s said ]
    ok $? "$t: the folder is its traces"
done
tr-breakdown --columns rank -O tsv job >have 2>said
is "$(cat have | tr '\n' ' ')" "rank 1 2 3 10 " "the ranks"
is "$(cat said)" "tr-breakdown: job: a folder, of which rank1.trs, rank2.json, rank3.json.gz, rank10.json are read;\
 skipped as no traces: config.json, gone, log, loss.csv, older/run" "the remark"
tr-breakdown -q --columns rank -O tsv job/ >quiet 2>said
none said "-q: no remark"
mkdir odd && sed '2s/"ts": *[0-9.]*/"ts": "soon"/' a.json | sed 's/"dur": *[0-9.]*/"dur": "long"/' >odd/x.json
tr-parse odd/ 2>&1 >gone | grep -q '^tr-parse: warning: odd/x.json: '
ok $? "a slash at its end is not doubled"
cmp -s have quiet
ok $? "-q: the same table"

# ranks by place: in the order of names
for name in b a c; do
    grep -v distributedInfo a.json | sed "s/aten::mm/$name/; 1s/.*/{/" | sed '/^{$/{n;s/^ *"traceEvents/{"traceEvents/}' | sed '1{/^{$/d;}' >unranked/$name.json
done
tr-view -q -O tsv --columns rank,name unranked | grep -E '	[abc]$' | sort >have
is "$(tr '\t\n' '= ' <have)" "0=a 1=b 2=c " "without ranks: by name"

# fails STATUS PATTERN COMMAND
fails()
{
    (eval "$3") >out 2>err </dev/null
    is $? "$1" "$3: status"
    like "$(cat err)" "$2" "$3: message"
}
fails 3 'tr-breakdown: empty: the folder has no trace *' 'tr-breakdown empty'
cp job/loss.csv others
fails 3 'tr-breakdown: others: the folder has no trace *' 'tr-breakdown others'
fails 3 'tr-breakdown: job/rank2.json: has the same events as job/rank2.json *' 'tr-breakdown -q job job/rank2.json'
if [ "$(id -u)" -ne 0 ]; then
    chmod 0 others
    fails 4 'tr-breakdown: others: cannot open: *' 'tr-breakdown others'
    chmod 700 others
fi
if [ -x "$bin/tr-diff" ]; then
    tr-diff -q -O tsv job job >have
    is $? 0 "tr-diff: two folders are two runs"
    is "$(tail -n 1 have | cut -f 8)" 0.000 "tr-diff: which do not differ"
fi

# patterns in quotes, and lists; both may name folders
tr-breakdown -q --columns rank,busy -O tsv job/rank1.trs job/rank10.json >want
# names WHAT OPERAND...: the same table
names()
{
    what=$1
    shift
    tr-breakdown -q --columns rank,busy -O tsv "$@" >have 2>said
    cmp want have >>said 2>&1
    none said "$what"
}
names "a pattern" 'job/rank1[.0]*'
names "a pattern and a name" job/rank1.trs 'job/rank10.*'
printf 'job/rank1.trs\n\njob/rank10.json' >list
names "a list" @list
printf 'job/rank1.trs\0job/rank10.json\0' >list
names "a list with zeros" @list
printf 'job/rank1?.json\r\njob/rank1.trs\r\n' >list
names "a list with a pattern, and lines of DOS" @list
mkdir one && cp job/rank10.json one && printf 'one\njob/rank1.trs\n' >list
names "a list with a folder" @list
cp job/rank1.trs 'rank[1]' && cp job/rank10.json @list
names "files that have such names" 'rank[1]' @list
fails 4 'tr-breakdown: none\*: cannot open: *' "tr-breakdown 'none*'"
fails 4 'tr-breakdown: none: cannot *' 'tr-breakdown @none'
cat job/rank10.json | tr-breakdown -q --columns rank,busy -O tsv job/rank1.trs - >have
cmp want have >said 2>&1
none said "what a program writes to a pipe"
finish
