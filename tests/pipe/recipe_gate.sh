#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/recipes/gate.mk: baselines are accepted once, and what became slower or was not measured fails.
. "$(dirname "$0")/../harness/tap.sh"
gen=${TR_GEN:-$built/gen/trgen}
for t in tr-merge tr-diff; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
make=
for m in gmake make; do
    case $($m --version 2>/dev/null | head -n 1) in "GNU Make "[4-9]*) make=${make:-$m} ;; esac
done
[ "$make" ] || skip_all "no GNU make 4 or later"

# gate OPTION...
gate()
{
    "$make" -k -f "$root/contrib/recipes/gate.mk" RUNS=in BASELINES=perf OUT=out "$@" >did 2>err
}
# run CASE SEED SCALE: the traces of a case
run()
{
    mkdir -p "in/$1"
    "$gen" --ranks 2 --steps 16 --layers 2 --python 0 --seed "$2" --device-scale "$3" --no-truth --output "in/$1"
}
verdicts()
{
    grep -E '^(alpha|beta): ' did | tr '\n' ' '
}

run alpha 1 1000
run beta 2 1000
gate accept
is "$? $(cd perf && echo *)" "0 alpha.part beta.part" "baselines of all cases"
cp perf/alpha.part before
gate
[ $? -ne 0 ] && cat did err | grep -q 'perf/gate'
ok $? "no conditions: make fails and names the file"
cat >perf/gate <<'END'
# steps
step.diff_pct > 0.5% && step.sigma > 4

side == device && diff_pct > 2% && diff_us > 50us && sigma > 5
END
printf 'name =~ "gemm" && diff_pct > 50%%' >>perf/gate
gate -j 2
is "$? $(verdicts)" "0 alpha: pass beta: pass " "the same traces pass"
is "$(grep -c '<testcase' out/alpha.xml) $(grep -c '<failure\|<error' out/alpha.xml)" "3 0" "a test case for each condition"
grep -q '^| mean | 16 | 16 |' out/beta.md
ok $? "a page for people"
gate
is "$? $(grep -c tr- did)" "0 0" "nothing has changed: nothing is done"

run alpha 11 1000
run beta 12 1030
touch in/*/*
gate
[ $? -ne 0 ]
ok $? "one case is slower: make fails"
is "$(verdicts)" "alpha: pass beta: regression " "one case is slower: that one is named, the other passes"
grep -q '<failure message="the condition is true: step_time_us [0-9.]* -&gt; [0-9.]* (+' out/beta.xml && grep -q '<failure message="true of ' out/beta.xml
ok $? "the XML has the failures"
grep -q "tr-diff: 'step.diff_pct > 0.5%" err
ok $? "what is wrong is said"

run beta 2 1000
for f in in/beta/rank?.json; do grep -v '"cat": "\(kernel\|gpu_mem[a-z]*\)"' "$f" >part && mv part "$f"; done
touch in/beta/*
gate
is "$(verdicts)" "alpha: pass beta: missing " "a case without device work does not pass"
rm -f out/*.status
gate COVERAGE=2
[ $? -ne 0 ]
ok $? "wrong usage: make fails"

run beta 2 1030
touch in/beta/*
gate accept-beta
gate
is "$? $(verdicts)" "0 alpha: pass beta: pass " "a new baseline is accepted: it passes"
cmp before perf/alpha.part >wrong
none wrong "the other baseline is as it was"
head -c 2000 before >perf/alpha.part
gate
[ $? -ne 0 ]
ok $? "a baseline that was cut: make fails"
gate clean
is "$(ls out 2>/dev/null)" "" "clean"
finish
