#!/bin/sh
# SPDX-License-Identifier: MIT
# Every program while what is around it fails: descriptors that are closed, an upstream that is killed, a reader
# that leaves, full and missing folders, signals, limits.
. "$(dirname "$0")/lib.sh"
make_sample >s.json
many_events 30000 >many.json # more than -M 16M keeps in memory
[ -x "$bin/tr-parse" ] && tr-parse --block-events 64 -z none -o many.trs many.json

# own_mounts COMMAND: by a shell in a name space of its own, so that what is mounted goes with it.
own_mounts()
{
    $spaces sh -c "$1"
}
spaces=
for try in 'unshare -m' 'unshare -rm'; do
    mkdir -p disk
    [ "$spaces" ] || ! $try sh -c 'mount -t tmpfs -o size=64k none disk' 2>said || spaces=$try
done

# ended STATUS WHAT: $status and err, of a run that had to fail with one line.
ended()
{
    is "$status" "$1" "$2: status $1"
    like "$(cat err)" "$tool: *" "$2: the line says who"
    is "$(wc -l <err | tr -d ' ')" 1 "$2: one line"
}

descriptors()
{
    eval "$run s.json" >want 2>err
    is $? 0 "$tool: a good run"
    eval "$run s.json" >have 2>&-
    is $? 0 "$tool: closed standard error: status 0"
    cmp -s want have
    ok $? "$tool: closed standard error: the same output"
    eval "$run missing" >have 2>&-
    is $? 4 "$tool: closed standard error, a missing input: status 4"
    none have "$tool: closed standard error: no message in the output"
    [ "$to_file" ] || return
    eval "$run -o want s.json"
    eval "$run -o have s.json" <&- >&- 2>&-
    is $? 0 "$tool: nothing but -o is open: status 0"
    mkdir dir
    echo old >dir/t
    eval "$run -o dir/t missing" <&- >&- 2>&-
    is "$?, $(ls -A dir), $(cat dir/t)" "4, t, old" "$tool: nothing is open, a missing input: the target is as it was"
    rm -r dir
}

pipelines()
{
    [ -f many.trs ] || return
    mkdir dir
    echo old >dir/t
    for part in 1000 200001 600000; do
        # shellcheck disable=SC2016 # for the inner shell
        sh -c 'head -c "$1" many.trs; kill -9 $$' sh $part 2>said | eval "$run${to_file:+ -o dir/t}" >have 2>err
        status=$?
        ended 3 "$tool: upstream killed after $part bytes"
        [ "$streaming" = yes ] && [ ! "$to_file" ] || none have "$tool: upstream killed: no report"
        is "$(ls -A dir):$(cat dir/t)" t:old "$tool: upstream killed: the target is as it was"
    done
    rm -r dir

    eval "$run many.json" >want 2>said
    [ "$(wc -c <want)" -gt 300000 ] || return
    {
        eval "$run many.json" 2>err
        echo $? >status
    } | head -c 100000 >have
    is "$(cat status)" 141 "$tool: a reader that leaves: ended by SIGPIPE"
    none err "$tool: a reader that leaves: no message"
}

# A program that waits for input and is told to stop leaves nothing beside its target.  (SIGINT and SIGQUIT are
# ignored by what a script starts in the background: calls.sh sends SIGINT.)
stopped()
{
    [ "$to_file" ] || return
    mkdir dir
    mkfifo fifo
    for signal in 1:HUP 15:TERM; do
        if sh -c 'kill -"$0" $$; exit 0' "${signal#*:}" 2>said; then # as under nohup
            skip "$tool: SIG${signal#*:}" "it is ignored here"
            continue
        fi
        echo old >dir/t
        exec 4<>fifo
        cat s.json >&4
        eval "exec $run -o dir/t" <&4 >said 2>err &
        waited=0
        while [ -z "$(find dir -name '.tr-*')" ] && [ $waited -lt 600 ]; do
            sleep 0.1 2>said || sleep 1
            waited=$((waited + 1))
        done
        kill -"${signal#*:}" $!
        wait $! 2>said
        is $? $((128 + ${signal%:*})) "$tool: SIG${signal#*:}: ended by it"
        exec 4>&-
        is "$(ls -A dir):$(cat dir/t)" t:old "$tool: SIG${signal#*:}: the target is as it was, and alone"
    done
    rm -r dir fifo
}

space()
{
    if takes "$tool" temp-dir; then
        for dir in missing s.json /proc; do
            [ -e $dir ] || [ $dir = missing ] || continue
            eval "$run -M 16M -T $dir many.json" >have 2>err
            status=$?
            ended 4 "$tool: -T $dir"
            like "$(cat err)" "$tool: $dir: cannot make a temporary file there: *" "$tool: -T $dir: is named"
        done
    fi
    if [ -c /dev/full ] && [ "$to_file" ]; then
        eval "$run -o /dev/full s.json" >have 2>err
        status=$?
        ended 4 "$tool: -o /dev/full"
    fi
    [ "$to_file" ] || return
    # 512 bytes at most in any file; messages do not go to one
    mkdir dir
    echo old >dir/t
    (
        (
            ulimit -f 1
            eval "$run -o dir/t many.json" 2>&1
            echo "status $?"
        ) | cat >err
    )
    if grep -q '^status 4' err; then
        like "$(head -n 1 err)" "$tool: *: File too large" "$tool: ulimit -f: says so"
    else
        like "$(grep -v ': nothing to show: ' err)" 'status 0' "$tool: ulimit -f: the output is small enough"
    fi
    is "$(ls -A dir)" t "$tool: ulimit -f: nothing beside the target"
    rm -r dir
}

full_disks()
{
    [ "$spaces" ] || {
        skip "$tool: full disks" "no right to mount one"
        return
    }
    fill='mount -t tmpfs -o size=64k none disk && echo old >disk/t && cat /dev/zero >disk/fill 2>said'
    if [ "$to_file" ]; then
        own_mounts "$fill; $run -o disk/t s.json 2>err; echo \$? >status; ls -A disk >left; cat disk/t >>left"
        status=$(cat status)
        ended 4 "$tool: -o on a full disk"
        like "$(cat err)" "*: No space left on device" "$tool: -o on a full disk: the reason"
        is "$(tr '\n' ' ' <left)" 'fill t old ' "$tool: -o on a full disk: all is as it was"
    fi
    takes "$tool" temp-dir || return
    own_mounts "$fill; $run -M 16M -T disk many.json >have 2>err; echo \$? >status; ls -A disk >left"
    status=$(cat status)
    ended 4 "$tool: -T on a full disk"
    like "$(cat err)" "$tool: *disk*: No space left on device" "$tool: -T on a full disk: the folder and the reason"
    is "$(tr '\n' ' ' <left)" 'fill t ' "$tool: -T on a full disk: nothing is left there"
    # root may write where permissions say no, but not there
    own_mounts "$fill; mount -o remount,ro none disk; $run -M 16M -T disk many.json >have 2>err; echo \$? >status"
    status=$(cat status)
    ended 4 "$tool: -T on a disk that cannot be written"
}

for tool in ${TR_FAULT_TOOLS:-$(built_tools)}; do
    takes "$tool" input-format || continue
    run="$tool"
    takes "$tool" no-provenance && run="$run --no-provenance"
    run="$run $(operands "$tool")"
    to_file=
    takes "$tool" output && to_file=yes
    streaming=$(awk -F '\t' -v tool="$tool" '$1 == tool { print $3 }' "$root/tools/tools.list")
    descriptors
    pipelines
    stopped
    space
    full_disks
done
finish
