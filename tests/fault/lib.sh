# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the tests of faults share beside the harness; read by `.' from a script in this folder.
. "$(dirname "$0")/../harness/tap.sh"
inject=$built/fault/inject.so
sweep=$built/fault/sweep
[ -n "$(built_tools)" ] || skip_all "no program is built"
long=${TR_LONG:-0}

# What sanitizers need: the library comes before theirs, and what they find is not status 1.
ASAN_OPTIONS=exitcode=99:verify_asan_link_order=0:detect_leaks=1:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

# takes TOOL OPTION: has it this long option?
takes()
{
    "$1" --option-table | cut -f 3 | grep -qx -e "$2"
}

# need_sweep: or nothing here can run.
need_sweep()
{
    [ -f "$inject" ] && [ -x "$sweep" ] || skip_all "no library to preload: not a platform for it, or --disable-faults"
    mkdir -p tmp out
    "$sweep" "$inject" alloc -- "$bin/$(built_tools | head -n 1)" --version >said 2>&1
    grep -q '^= alloc [1-9]' said || skip_all "preloading has no effect here"
}
