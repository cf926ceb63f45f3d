#!/bin/sh
# The library as built: names that it exports, and that it has no state of its own.
. "$(dirname "$0")/../harness/tap.sh"
nm=${NM:-nm}
lib=${TR_LIB:-../libcore/.libs/libtrcore.a}
[ -f "$lib" ] || skip_all "the static library is not built"
$nm -g "$lib" >all 2>/dev/null || skip_all "no nm"
grep -q ' [Tt] ' all || skip_all "nm prints another format"

# _ in front is what some systems add to every name; __asan and the like come from sanitizers
awk 'NF == 3 && $2 ~ /^[TDBRCVW]$/ { sub(/^_*/, "", $3); if ($3 !~ /^(tr_|asan|odr_asan|sancov|gcov)/) print }' all |
    sort -u >wrong
none wrong "every exported name begins with tr_"

if $nm -f sysv "$lib" >all 2>/dev/null && ! grep -q asan all; then
    # data that only relocation has to write (.data.rel.ro) is constant
    awk -F '|' '{ gsub(/ /, "", $7); gsub(/ /, "", $4) }
        $4 == "OBJECT" && ($7 ~ /^\.(data|bss)/ || $7 == "*COM*") && $7 !~ /^\.data\.rel\.ro/ { print $1 $7 }' all >wrong
    none wrong "the library has no state at file scope"
else
    skip "the library has no state at file scope" "cannot be told from this build"
fi
finish
