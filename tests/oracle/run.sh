#!/bin/sh
# SPDX-License-Identifier: MIT
# Analyses and tr-filter against programs that find the same by brute force and know nothing of libcore.
# TR_ORACLE_SEEDS: how many random traces are tried [1400; 2000 with TR_LONG=1; 4 of 10 with tr-filter]; 6 of 10 in
# 19 views by compare.py, a third of these tiny ones on a coarse clock, half with parts taken away; a sixth with
# tr-diff; a twentieth, each in twenty views, with tr-memory; a fortieth are metric files.
# Programs read the traces of most jobs as they are, those of a quarter as streams or from a pipe: see harness/forms.c.
. "$(dirname "$0")/../prop/lib.sh"
. "$root/tests/harness/forms.sh"
if [ "${TR_LONG:-0}" -ne 0 ]; then seeds=${TR_ORACLE_SEEDS:-2000}; else seeds=${TR_ORACLE_SEEDS:-1400}; fi
need tr-breakdown tr-comm tr-launch tr-memory tr-overlap tr-patterns
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"
make_forms one "$bin" "$tmp/forms"
bin=$tmp/forms/bin

$python "$here/compare.py" "$bin" "$gen" "$((seeds * 6 / 10))" >result
take result compare.py
$python "$here/comm.py" "$bin" "$gen" "$((seeds / 2))" >result
take result comm.py
$python "$here/memory.py" "$bin" "$gen" "$((seeds / 20 + 4))" >result
take result memory.py
if have tr-counters && have tr-info && have tr-metrics; then
    $python "$here/coverage.py" "$bin" --random "$gen" "$((seeds / 20))" >result
    take result coverage.py
fi
if have tr-critpath; then
    $python "$here/critpath_random.py" "$bin" "$((seeds / 4))" >result
    take result critpath_random.py
fi
if have tr-filter; then
    $python "$here/filter.py" "$bin" "$gen" "$((seeds * 4 / 10))" >result
    take result filter.py
fi
if have tr-diff; then
    $python "$here/diff.py" "$bin" "$gen" "$((seeds / 6))" >result
    take result diff.py
    $python "$here/trees.py" "$bin" "$((seeds / 20))" >result
    take result trees.py
    $python "$here/tables.py" "$bin" "$((seeds / 20))" >result
    take result tables.py
fi
if have tr-metrics; then
    $python "$here/metrics.py" "$bin" "$((seeds / 20))" >result
    take result metrics.py
fi
if have tr-metrics && have tr-stalls && have tr-roofline; then
    $python "$here/metric_files.py" "$bin" "$((seeds / 40))" >result
    take result metric_files.py
fi
$python "$here/graph.py" "$bin" --random "$gen" "$((seeds / 40))" "$root/tests/golden/vendors/graph.json" >result
take result graph.py
if have tr-sum; then
    $python "$here/sums.py" "$bin" "$root/man/tr-migrate.7" --random "$gen" "$((seeds / 20))" "$root"/contrib/sample/rank*.json.gz >result
    take result sums.py
fi
if have tr-breakdown && have tr-sum; then
    $python "$here/inference.py" "$bin" "$((seeds / 20 + 30))" >result
    take result inference.py
fi
if have tr-breakdown && have tr-diff; then
    $python "$here/steps.py" "$bin" "$((seeds / 5))" >result
    take result steps.py
fi
if have tr-report && have tr-sum && have tr-diff; then
    $python "$here/report.py" "$bin" "$gen" "$((seeds / 100 + 2))" "$root"/contrib/sample/rank*.json.gz >result
    take result report.py
fi
finish
