# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Analyses and tr-filter against programs that find the same by brute force and know nothing of libcore; read by `.'
# from the scripts here, one for each program or several small ones.
#
# From outside: TR_ORACLE_SEEDS, how many random traces a run tries [300]; there are seven such parts, and each commit
# takes its turn (harness/slice.sh).  Programs read the traces of most jobs as they are, those of a quarter as streams
# or from a pipe: see harness/forms.c.
. "$(dirname "$0")/../prop/lib.sh"
. "$root/tests/harness/forms.sh"
. "$root/tests/harness/slice.sh"
parts=7
all=${TR_ORACLE_SEEDS:-300}
which_slice $parts
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"
make_forms one "$bin" "$tmp/forms"
bin=$tmp/forms/bin

# share N [MORE]: the seeds of this part for a program that takes one trace of N, and so many more.
share()
{
    n=$((all / $1 + ${2:-0}))
    if [ "$slice" = all ]; then
        echo "1..$((parts * n))"
    else
        echo "$((slice * n + 1))..$(((slice + 1) * n))"
    fi
}

# oracle SCRIPT ARGUMENT...: the tests of a program beside this file.
oracle()
{
    script=$1
    shift
    $python "$here/$script" "$bin" "$@" >result
    take result "$script"
}
