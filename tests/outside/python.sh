#!/bin/sh
# SPDX-License-Identifier: MIT
# The package for Python with packages of others: the notebook of contrib is executed without a screen, and its pictures
# are SVG (notebook.py); a large trace is read in bounded memory; the package is installed by configure --with-python, and
# all analyses have the cells of the programs.
. "$(dirname "$0")/lib.sh"
gen=${TR_GEN:-$built/gen/trgen}
case $gen in /*) ;; *) gen=$built/$gen ;; esac
[ -x "$bin/tr-breakdown" ] && [ -x "$gen" ] || skip_all "the programs are not built"
. "$root/tests/python/lib.sh"
choose cffi numpy pandas nbclient ipykernel || {
    [ "$(id -u)" -ne 0 ] || { get python3-nbclient python3-ipykernel python3-pandas python3-cffi; } >apt.log 2>&1
    choose cffi numpy pandas nbclient ipykernel || skip_all "no nbclient, ipykernel and pandas to be had"
}
python=$("$python" -c 'import sys; print(sys.executable)')

cp -R "$root/contrib/notebooks" "$root/contrib/sample" .
"$python" -W error::UserWarning "$here/notebook.py" notebooks/cause.ipynb >out 2>said
is $? 0 "the notebook is executed"
sed 's/^/# /' out
[ "$(grep -c '^picture' out)" -ge 6 ]
ok $? "it has pictures"
(cd notebooks && "$python" cause.py) >out 2>said
is $? 0 "so is the script"
like "$(cat out)" "*
(0, 1002, 138969600)
(1, 1002, 112794908)
*" "its query is answered by DuckDB, else by SQLite"
like "$(tail -n 1 out)" "*data_loading, during enumerate(DataLoader)*" "it names the cause"

size=300M
[ "${TR_LONG:-0}" -eq 0 ] || size=1G
"$gen" --output . --size $size --no-truth || exit 99
for what in events kernels findings; do
    "$python" -W ignore "$here/python_memory.py" rank0.json $what >out 2>said
    is $? 0 "a trace of $size, memory=\"128M\": $what: $(cat out)"
done
"$python" "$root/tests/bench/python.py" rank0.json >out 2>said
is $? 0 "bench/python.py"
sed 's/^/# /' out

mkdir build
if (cd build && "$root/configure" -q --with-python="$python" --prefix=/usr) >log 2>&1; then
    make -C build/bindings/python install DESTDIR="$tmp/dest" >log 2>&1
    ok $? "configure --with-python, make install"
    init=$(find dest -name __init__.py)
    PYTHONPATH=$(dirname "$(dirname "$init")") "$python" -c 'import tracepipe; print(tracepipe.__file__)' >out 2>said
    like "$(cat out)" "*/dest/*/tracepipe/__init__.py" "what was installed can be imported"
else
    sed 's/^/# /' log
    ok 1 "configure --with-python"
fi

mkdir traces
"$python" "$root/tests/python/analyses.py" "$bin" "$gen" traces all >out 2>said
grep -v '^ok' out | grep -v '^1\.\.' >wrong
none wrong "$(grep -c '^ok' out) analyses: each cell is that of the program"
finish
