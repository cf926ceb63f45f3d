#!/bin/sh
# SPDX-License-Identifier: MIT
# Under ulimit -v: what works with so many MiB of addresses works with more.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-breakdown tr-sum tr-report; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
(ulimit -v 300000 && tr-parse --version) >/dev/null 2>&1 || skip_all "address space cannot be limited here (sanitizers?)"
"${TR_GEN:-$built/gen/trgen}" --size 6M --no-truth --output . >gen.out 2>&1 || skip_all "no generator"

# grows WHAT COMMAND: from 40 to 400 MiB it fails with status 4 (127: not even its libraries fit), then always works.
grows()
{
    mib=40
    works=0
    : >wrong
    while [ $mib -le 400 ]; do
        (ulimit -v $((mib * 1024)) && exec $2 rank0.json) >out 2>err
        status=$?
        case $status in
        0) works=$((works + (works == 0) * mib)) ;;
        4 | 127) [ $works -eq 0 ] || echo "works with $works MiB, ends with $status with $mib: $(cat err)" >>wrong ;;
        *) echo "$mib MiB: status $status: $(cat err)" >>wrong ;;
        esac
        mib=$((mib + 9))
    done
    none wrong "$1: more addresses never do harm"
    [ $works -gt 0 ]
    ok $? "$1: works with 400 MiB"
}

grows tr-parse "tr-parse -j 4 -o x.trs"
grows tr-breakdown "tr-breakdown -j 4 -O tsv"
grows tr-sum "tr-sum -j 4 --by name -O tsv"
grows tr-report "tr-report -j 4 -O md"
finish
