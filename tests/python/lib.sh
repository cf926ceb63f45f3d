# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the tests of the package for Python share; read by `.' after the harness.
#
# python  a Python that has cffi: PYTHON, or one that is usual
package=$root/bindings/python
for TRACEPIPE_LIBRARY in "$built"/../libcore/.libs/libtrcore.so "$built"/../libcore/.libs/libtrcore.dylib; do
    [ ! -e "$TRACEPIPE_LIBRARY" ] || break
done
[ -e "$TRACEPIPE_LIBRARY" ] || skip_all "no shared library was built"
PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1
export TRACEPIPE_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE

# choose MODULE...: sets python to one that has all of these
choose()
{
    for try in "${PYTHON:-python3}" /usr/bin/python3; do
        # shellcheck disable=SC2086 # a list of modules
        if "$try" -c "import $(echo "$*" | tr ' ' ,)" 2>said; then
            python=$try
            return 0
        fi
    done
    return 1
}
choose cffi numpy pandas || choose cffi || skip_all "no Python with cffi (Debian: python3-cffi)"
"$python" -c 'import tracepipe' >said 2>&1 || {
    grep -q sanitizer said || grep -qi asan said || { sed 's/^/# /' said; ok 1 "the package can be imported"; finish; }
    skip_all "the library has sanitizers, which Python has not"
}
