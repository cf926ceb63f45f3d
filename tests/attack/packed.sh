#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces of Perfetto whose compressed packets unpack to a great deal: tr-parse reads them within -M and half of it, or
# refuses them with one line.
. "$(dirname "$0")/../harness/tap.sh"
[ -x "$bin/tr-parse" ] || skip_all "not built: tr-parse"
[ -x "$built/bench/measure" ] || skip_all "not built: bench/measure"
grep -q __asan_init "$bin/tr-parse" "$bin/.libs/tr-parse" 2>/dev/null && skip_all "sanitizers take memory of their own"
python=${PYTHON:-python3}
command -v "$python" >said || skip_all "no $python"

mkdir in
"$python" "$here/packed.py" in || exit 99
for f in in/*.pftrace; do
    for more in "-j 1" "-j 3" "-j 1 --no-sort"; do
        : >wrong
        rm -f used
        # shellcheck disable=SC2086 # options
        "$built/bench/measure" used tr-parse $more -M 64M "$f" >stream 2>said
        got=$?
        case $got in 0 | 4) ;; *) echo "status $got" >>wrong ;; esac
        [ $got -eq 0 ] || [ "$(grep -c . said)" -eq 1 ] || cat said >>wrong
        [ $got -ne 0 ] || tr-info -q stream >/dev/null 2>>wrong || echo "it is not a stream" >>wrong
        awk -F '\t' '$4 > 96 * 1024 { printf "%d MiB\n", $4 / 1024 }' used >>wrong
        none wrong "$(basename "$f" .pftrace) $more: $(wc -c <"$f" | tr -d ' ') bytes, status $got, $(awk -F '\t' '{ printf "%d", $4 / 1024 }' used) MiB"
    done
done
finish
