#!/bin/sh
# SPDX-License-Identifier: MIT
# --follow: what is there so far of a file that grows is what a run on it prints now, also after it was cut or replaced;
# a signal ends it as the end of a file does.  Nothing here waits for a time: each wait is for what must come.
. "$(dirname "$0")/../harness/tap.sh"
trgen=${TR_GEN:-gen/trgen}
case $trgen in /*) ;; *) trgen=$built/$trgen ;; esac
[ -x "$trgen" ] || skip_all "the generator is not built"
python=${PYTHON:-python3}
command -v "$python" >/dev/null || skip_all "no Python"
for n in 1 2; do
    mkdir r$n && "$trgen" --output r$n --no-truth --seed $n --steps 3 --layers 1 --streams 2 >/dev/null ||
        skip_all "the generator failed"
done

# Background programs of a script ignore Ctrl-C.
ctrl_c='import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])'

# within COMMAND...: true as soon as it is, false after 20 s
within()
{
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 1000 ] || return 1
        sleep 0.02
    done
}
same() { cmp -s "$1" "$2"; }
# What a program writes in the background is not that of the one before.
fresh() { rm -f all err; }
filled() { [ -s "$1" ]; }
says() { grep -q "$1" "$2"; }
lines() { [ "$(wc -l <"$2")" -ge "$1" ]; }
ends_as() { tail -n "$(wc -l <"$2")" "$1" | cmp -s - "$2"; }

# part FILE K N: the K-th of N parts of a file, which may end anywhere
part()
{
    size=$(wc -c <"$1")
    tail -c +$((size * ($2 - 1) / $3 + 1)) "$1" | head -c $((size * $2 / $3 - size * ($2 - 1) / $3))
}

# The stream of a trace so far, in a file that is replaced
tr-view -q -O perfetto r1/rank0.json >r1/rank0.pftrace
gzip -k r1/rank0.json
for name in rank0.json rank0.json.gz rank0.pftrace; do
    : >$name
    tr-parse -q --follow --every 10ms --no-provenance -o now.trs $name 2>err &
    for k in 1 2 3 4 5; do
        part r1/$name $k 5 >>$name
        tr-parse -q --no-provenance -o want.trs $name
        within same now.trs want.trs
        ok $? "$name: the stream of part $k of 5"
    done
    kill $!
    wait $!
    is $? 0 "$name: a signal ends it well: $(cat err)"
    same now.trs want.trs
    ok $? "$name: the last stream"
    rm now.trs
done

# Tables, and pages
for tool in "tr-breakdown -O tsv --by kernel" "tr-launch -O tsv" "tr-report"; do
    part r1/rank0.json 1 2 >rank0.json
    fresh
    $tool -q --follow --every 10ms rank0.json >all 2>err &
    $tool -q rank0.json >first
    within ends_as all first
    ok $? "$tool: the first half"
    part r1/rank0.json 2 2 >>rank0.json
    $tool -q rank0.json >want
    within ends_as all want
    ok $? "$tool: the whole"
    if same first want; then ok 1 "$tool: they differ"; fi
    kill $!
    wait $!
    is $? 0 "$tool: a signal ends it well: $(cat err)"
    ends_as all want
    ok $? "$tool: the last one"
done

# Events as they come; a file that was cut or replaced is read on from its start
part r1/rank0.json 1 2 >rank0.json
sh -c 'echo $$ >pid; exec tr-parse --follow --no-sort rank0.json' 2>err | tr-view -q -O jsonl --columns name,ts >out &
events() { tr-parse -q --no-sort "$1" | tr-view -q -O jsonl --columns name,ts; }
events rank0.json >want
within same out want
ok $? "--no-sort: all events of the first half come"
part r1/rank0.json 2 2 >>rank0.json
events rank0.json >want
within same out want
ok $? "--no-sort: and those of the rest"
: >rank0.json
within says 'was cut' err
ok $? "--no-sort: a file was cut: $(cat err)"
cat r2/rank0.json >>rank0.json
events rank0.json >more
cat want more >both
within same out both
ok $? "--no-sort: its new events come after the others"
cp r1/rank0.json next && mv next rank0.json
within says 'was replaced' err
ok $? "--no-sort: a file was replaced"
cat both want >all
within same out all
ok $? "--no-sort: the events of the other file come"
kill "$(cat pid)"
wait $!
is $? 0 "--no-sort: a signal ends it well"

# Tables are those of the new file alone
part r1/rank0.json 1 2 >rank0.json
fresh
tr-breakdown -O tsv --by kernel --follow --every 10ms rank0.json >all 2>err &
tr-breakdown -q -O tsv --by kernel rank0.json >want
within ends_as all want
ok $? "tables: of the first file"
: >rank0.json
within says 'was cut' err
ok $? "tables: a file was cut: $(cat err)"
cat r2/rank0.json >>rank0.json
tr-breakdown -q -O tsv --by kernel rank0.json >want
within ends_as all want
ok $? "tables: of what came then"
cp r1/rank0.json next && mv next rank0.json
within says 'was replaced' err
ok $? "tables: a file was replaced: $(tail -n 1 err)"
tr-breakdown -q -O tsv --by kernel rank0.json >want
within ends_as all want
ok $? "tables: of the other file"
kill $!
wait $!
is $? 0 "tables: a signal ends it well"

# Streams: tables are printed while the stream pauses; it ends by its trailer, or where a signal ends it
tr-parse -q --block-events 100 -o job.trs r1/rank0.json
most=$(($(wc -c <job.trs) - 2000))
head -c $most job.trs >grows.trs
fresh
tr-breakdown -q -O tsv --by kernel --follow --every 10ms grows.trs >all 2>err &
tr-breakdown -q -O tsv --by kernel job.trs >want
within filled all
ok $? "a stream: a table while it pauses"
tables=$!
"$python" -c "$ctrl_c" tr-parse -q --follow grows.trs 2>err2 >cut.trs &
within filled cut.trs
kill -INT $!
wait $!
is $? 0 "a stream: Ctrl-C ends it well: $(cat err2)"
tr-info cut.trs >/dev/null 2>said
ok $? "a stream: what was copied is complete: $(cat said)"
tail -c 2000 job.trs >>grows.trs
wait $tables
is $? 0 "a stream: it ends with its trailer: $(cat err)"
ends_as all want
ok $? "a stream: the last table is that of all"
head -c $most job.trs >grows.trs
fresh
tr-breakdown -O tsv --by kernel --follow --every 10ms grows.trs >all 2>err &
within filled all
cp job.trs next && mv next grows.trs
wait $!
is $? 0 "a stream that was replaced: $(cat err)"
{ says 'was replaced' err && ends_as all want; }
ok $? "a stream that was replaced: the last table is that of the new one"

# Pipes: tables of a trace while it is read; of a stream, on time while it pauses; Ctrl-C waits for the writer
mkfifo pipe
fresh
tr-breakdown -q -O tsv --by kernel --follow --every 10ms <pipe >all 2>err &
exec 3>pipe
part r1/rank0.json 1 2 >rank0.json
cat rank0.json >&3
tr-breakdown -q -O tsv --by kernel rank0.json >first
within ends_as all first
ok $? "a pipe: a trace so far"
part r1/rank0.json 2 2 >&3
exec 3>&-
wait $!
is $? 0 "a pipe: its end ends it: $(cat err)"
ends_as all want
ok $? "a pipe: the last table is that of all"
fresh
"$python" -c "$ctrl_c" tr-breakdown -q -O tsv --by kernel --every 300ms <pipe >all 2>err &
exec 3>pipe
head -c $most job.trs >&3
within filled all
ok $? "a pipe: a table on time, though no event comes"
kill -INT $!
tail -c 2000 job.trs >&3
exec 3>&-
wait $!
is $? 0 "a pipe: Ctrl-C goes to the writer, too, and the rest is read: $(cat err)"
ends_as all want
ok $? "a pipe: the last table is that of all"

# refused WORD OPTION...: with status 2
refused()
{
    word=$1
    shift
    "$@" </dev/null >out 2>err
    [ $? = 2 ] && grep -q -e "$word" err
    ok $? "$*: $(cat err)"
}
refused 'one file' tr-report --follow r1/rank0.json r2/rank0.json
refused 'no folder' tr-breakdown --follow r1
refused 'follow' tr-parse --every 1s -o x.trs r1/rank0.json
refused '-o' tr-parse --every 1s --follow r1/rank0.json
refused 'no-sort' tr-parse --every 1s --follow --no-sort -o x.trs r1/rank0.json
refused 'about tables' tr-critpath --mark --follow r1/rank0.json
refused 'no column' tr-breakdown --by kernel --columns nothing --follow --every 10ms r1/rank0.json
finish
