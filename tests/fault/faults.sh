#!/bin/sh
# Every program while memory, reads and writes fail: it ends with status 4 and a message, or does its work
# as if nothing had happened.  It never crashes and never takes half for the whole.
. "$(dirname "$0")/../harness/tap.sh"
inject=$built/fault/.libs/inject.so
[ -f "$inject" ] || skip_all "no library to preload: not configured with --enable-faults, or without shared libraries"
[ -n "$(built_tools)" ] || skip_all "no program is built"
many_events 3000 >many.json
TR_FAULT='write 1' LD_PRELOAD=$inject sh -c 'echo text' >out 2>/dev/null &&
    skip_all "preloading has no effect here"

# with_fault FAULT COMMAND: of the command only, not of this shell
with_fault()
{
    eval "TR_FAULT='$1' LD_PRELOAD='$inject' $2" >out 2>err
}

for t in $(built_tools); do
    run="$t $(operands "$t") many.json"
    eval "$run" >want 2>/dev/null
    for kind in alloc read write; do
        # the first calls one by one, later ones with growing gaps, until the fault comes too late to matter
        n=1
        hits=0
        quiet=0
        : >wrong
        while [ $n -lt 100000 ] && [ $quiet -lt 12 ]; do
            with_fault "$kind $n" "$run"
            status=$?
            case $status in
            0)
                quiet=$((quiet + 1))
                cmp -s out want || echo "$kind $n: status 0, but other output" >>wrong
                ;;
            4)
                hits=$((hits + 1))
                quiet=0
                [ "$(wc -l <err)" -eq 1 ] || echo "$kind $n: $(cat err)" >>wrong
                ;;
            *) echo "$kind $n: status $status: $(cat err)" >>wrong ;;
            esac
            n=$((n + 1 + n / 16))
        done
        none wrong "$t: $kind fails"
        [ $hits -gt 0 ]
        ok $? "$t: $kind fails: it is noticed"
    done
    for kind in short eintr; do
        with_fault "$kind 0" "$run"
        is "$?" 0 "$t: $kind transfers: status 0"
        cmp -s out want
        ok $? "$t: $kind transfers: the same output"
    done
done
finish
