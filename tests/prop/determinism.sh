#!/bin/sh
# SPDX-License-Identifier: MIT
# Threads, block size, read size, codec and the packing of the input change nothing.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view tr-merge

# Equal names in different folders, so that nothing but the variable under test differs.
make_traces plain --steps 4 --layers 3 --counters 20 --plant all && mv plain/rank0.json plain/t.json
parse="tr-parse --no-provenance"

(cd plain && $parse -z lz4 -j 1 t.json) >reference.trs &&
    tr-view -O jsonl reference.trs >reference.jsonl
ok $? "tr-parse reads the trace, tr-view its stream"
[ -s reference.jsonl ]
ok $? "there are events"

# Threads and block size.
for events in 1 7 8192; do
    for threads in 1 2 3 8; do
        (cd plain && $parse -z lz4 -j $threads --block-events $events t.json) >b$events.$threads
        ok $? "tr-parse -j $threads --block-events $events"
        [ $threads -eq 1 ] ||
            same b$events.1 b$events.$threads "$events events per block: -j $threads is as -j 1"
    done
    tr-view -O jsonl b$events.1 >view
    same reference.jsonl view "$events events per block: the same events"
    rm -f b$events.*
done

# Codec.
for codec in none lz4 zlib; do
    (cd plain && $parse -z $codec t.json) >stream && tr-view -O jsonl stream >view
    ok $? "tr-parse -z $codec"
    same reference.jsonl view "-z $codec: the same events"
    tr-view -O jsonl <stream >view
    same reference.jsonl view "-z $codec: the same events from standard input"
done

# Read size: a FIFO under the same name, filled in pieces that fall anywhere.
for size in 1021 4096 65537; do
    mkdir fifo$size && mkfifo fifo$size/t.json
    dd if=plain/t.json of=fifo$size/t.json bs=$size 2>/dev/null &
    (cd fifo$size && $parse -z lz4 -j 3 t.json) >stream
    ok $? "tr-parse reads a FIFO, $size bytes at a time"
    wait
    same reference.trs stream "reads of $size bytes: the same stream"
done

# A pipe on standard input, and the stream through a pipe.
$parse <plain/t.json >stream && tr-view -O chrome stream >view
ok $? "tr-parse reads standard input"
tr-view -O chrome reference.trs >reference.chrome
same reference.chrome view "standard input: the same events"
# shellcheck disable=SC2002 # a pipe is the point
cat plain/t.json | $parse | cat | tr-view -O chrome >view
same reference.chrome view "pipes on both sides: the same events"

# Packing of the input, by content, whatever the name says.
pack()
{
    mkdir "$1"
    case $1 in
    gzip) gzip -c ;;
    members)
        dd bs=20000 count=1 2>said | gzip -c
        dd bs=20000 skip=1 if=plain/t.json 2>said | gzip -c ;;
    lz4) lz4 -q -c ;;
    zstd) zstd -q -c ;;
    xz) xz -c ;;
    bzip2) bzip2 -c ;;
    zip) $python -c 'import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    z.write("plain/t.json", "t.json")' zip/made && cat zip/made ;;
    esac <plain/t.json >"$1/t.json"
}
formats=$(tr-parse --version 2>&1)
for packing in gzip members lz4 zstd xz bzip2 zip; do
    case $packing in
    lz4 | zstd | xz | bzip2)
        command -v $packing >said || { skip "$packing" "no program $packing here"; continue; } ;;
    esac
    case $packing:$formats in
    zstd:*zstd* | zip:*archive* | xz:*archive* | bzip2:*archive* | gzip:* | members:* | lz4:*) ;;
    *) skip "$packing" "not built in"; continue ;;
    esac
    pack $packing
    (cd $packing && $parse -z lz4 t.json) >stream && tr-view -O chrome stream >view
    ok $? "tr-parse reads $packing"
    same reference.chrome view "$packing: the same events"
done
# Several traces with more events than a batch has, alike and not alike in size.
make_traces job --ranks 2 --size 8M --no-truth && mkdir other && mv job/rank1.json other/ && cp plain/t.json other/
for pair in 'job/rank0.json other/rank1.json' 'job/rank0.json other/t.json'; do
    for threads in 1 2 3 8; do
        # shellcheck disable=SC2086 # two names
        tr-merge --no-provenance --renumber -j $threads $pair >merged.$threads 2>said
        ok $? "tr-merge -j $threads $pair"
        [ $threads -eq 1 ] || same merged.1 merged.$threads "$pair: -j $threads is as -j 1"
    done
done
finish
