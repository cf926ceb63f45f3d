#!/bin/sh
# SPDX-License-Identifier: MIT
# Every program: what happens when its output can not be written, and what -o leaves behind.
. "$(dirname "$0")/../harness/tap.sh"
[ -n "$(built_tools)" ] || skip_all "no program is built"
make_sample >sample.json
printf 'name\tsum_us\na\t1\n' >table.tsv
printf 'name\tsum_us\na\n' >bad.tsv
printf 'this is no trace\n' >bad.json
mkfifo gone

for t in $(built_tools); do
    args=$(operands "$t")
    run="$t $args"
    sample=sample.json bad=bad.json
    [ "$t" != tr-plot ] || sample=table.tsv bad=bad.tsv # which reads tables only

    if [ -c /dev/full ]; then
        eval "$run $sample" >/dev/full 2>err
        is $? 4 "$t: full disk: status 4"
        is "$(cat err)" "$t: cannot write standard output: No space left on device" \
            "$t: full disk: says so"
        $t --help >/dev/full 2>err
        is $? 4 "$t --help: full disk: status 4"
    else
        skip "$t: full disk" "no /dev/full"
    fi

    eval "$run $sample" 2>err >&-
    is $? 4 "$t: closed output: status 4"
    like "$(cat err)" "$t: cannot write standard output: *" "$t: closed output: says so"

    # the reader has left before anything is written, and the signal is not ignored
    {
        read -r _ <gone
        eval "$run $sample" 2>err
        echo $? >status
    } | {
        exec <&-
        echo go >gone
    }
    is "$(cat status)" 141 "$t: reader gone: ended by SIGPIPE"
    none err "$t: reader gone: no message"

    # a parent that ignores the signal (some schedulers do) makes no difference
    (
        trap '' PIPE
        {
            read -r _ <gone
            eval "$run $sample" 2>err
            echo $? >status
        } | {
            exec <&-
            echo go >gone
        }
    )
    is "$(cat status)" 141 "$t: reader gone, signal ignored by the parent: ended by SIGPIPE"

    $t --option-table | cut -f 3 >options
    if grep -qx force options; then
        eval "$run --assume-terminal=stdout $sample" >out 2>err
        is $? 2 "$t: terminal: status 2"
        like "$(cat err)" "$t: *terminal*tr-view*" "$t: terminal: says so, and what shows a stream"
        none out "$t: terminal: nothing written"
        eval "$run --assume-terminal=stdout --force $sample" >out 2>err
        is $? 0 "$t --force: status 0"
    fi
    grep -qx output options || continue

    eval "$run $sample" >out 2>err
    mkdir dir
    eval "$run --output dir/new $sample" >stdout 2>err
    is $? 0 "$t -o: status 0"
    is "$(ls -A dir)" new "$t -o: the file and nothing else"
    none stdout "$t -o: nothing on standard output"
    [ -s dir/new ]
    ok $? "$t -o: the file is not empty"

    echo old >dir/new
    eval "$run --output dir/new $bad" >stdout 2>err
    is $? 3 "$t -o, damaged input: status 3"
    is "$(ls -A dir):$(cat dir/new)" "new:old" "$t -o, damaged input: the old file is left alone"
    ln -s new dir/link
    eval "$run --output dir/link $sample" >stdout 2>err
    [ -h dir/link ] && ! [ -h dir/new ] && [ "$(cat dir/new)" != old ]
    ok $? "$t -o: a link is followed"
    eval "$run --output missing/new $sample" >stdout 2>err
    is $? 4 "$t -o in no folder: status 4"
    like "$(cat err)" "$t: cannot write 'missing/new'*: No such file or directory" \
        "$t -o in no folder: says so"
    eval "$run --output dir $sample" >stdout 2>err
    is $? 4 "$t -o FOLDER: status 4"
    eval "$run --output /dev/stdout $sample" 2>err | cmp -s - out
    [ ! -s err ]
    ok $? "$t -o /dev/stdout: written directly"
    rm -r dir
done

# selection with context writes in a pass of its own
if [ -x "$bin/tr-filter" ] && [ -c /dev/full ]; then
    tr-filter --parents 'activity == kernel' sample.json >/dev/full 2>err
    is $? 4 "tr-filter --parents: full disk: status 4"
    like "$(cat err)" "tr-filter: *: No space left on device" "tr-filter --parents: full disk: says so"
fi
finish
