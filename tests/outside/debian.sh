#!/bin/sh
# SPDX-License-Identifier: MIT
# Packages for Debian: built from an archive, looked at by lintian, installed and removed below a folder of its own, so
# that the system stays as it is.
. "$(dirname "$0")/lib.sh"
top=$built/..
debian=$root/contrib/debian
[ -f "$top/config.status" ] && [ -f "$top/Makefile" ] || skip_all "not in a build folder"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS

outside dpkg-buildpackage dpkg-dev && outside dh debhelper || skip_all "$why"
dpkg-checkbuilddeps "$debian/control" 2>said || {
    # shellcheck disable=SC2046 # names of packages
    [ "$(id -u)" -ne 0 ] || get \
        $(sed 's/^.*dependencies: //; s/([^)]*)//g' said) >apt.log 2>&1
    dpkg-checkbuilddeps "$debian/control" 2>said || skip_all "$(sed 's/^.*error: //' said)"
}
clean_up()
{
    cd / && rm -rf "$tmp" "${top:?}/dist-$$" "$top/dist-$$.tar.xz"
}
trap clean_up EXIT
make -C "$top" dist distdir=dist-$$ >log 2>&1 && nice sh "$root/contrib/deb.sh" "$top/dist-$$.tar.xz" debs >made 2>err
ok $? "packages are built"
sed 's/^/# /' err
is "$(grep -v -- -dbgsym_ made | sed 's/_.*//' | sort | tr '\n' ' ')" "libtrcore-dev libtrcore0 python3-tracepipe tracepipe " "the packages"

if outside lintian; then
    lintian --allow-root --fail-on error debs/*.changes >said 2>&1
    ok $? "lintian finds no error"
    sed 's/^/# /' said
else
    skip "lintian finds no error" "$why"
fi

# in_root ACTION...: dpkg below a folder; what packages depend on is that of the system
in_root()
{
    dpkg --root="$tmp/root" --force-not-root --force-depends --force-script-chrootless --no-triggers "$@" >log 2>&1
}
mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates root/var/log
: >root/var/lib/dpkg/status
in_root -i debs/tracepipe_*.deb debs/libtrcore0_*.deb debs/libtrcore-dev_*.deb &&
    in_root --unpack debs/python3-tracepipe_*.deb # what compiles modules knows no other folder
status=$?
ok $status "dpkg -i"
[ $status -eq 0 ] || sed 's/^/# /' log
sample=root/usr/share/tracepipe/sample
tr-breakdown -O tsv "$root"/contrib/sample/rank*.json.gz >want
root/usr/bin/tr-breakdown -O tsv $sample/rank*.json.gz >have
cmp want have >wrong
none wrong "a program as installed, on the sample as installed"
if /usr/bin/python3 -c 'import cffi' 2>said; then
    tr-breakdown --unit ns --columns rank,busy -O tsv "$root"/contrib/sample/rank*.json.gz | sed 1d >want
    LD_LIBRARY_PATH=$(dirname root/usr/lib/*/libtrcore.so.0) PYTHONDONTWRITEBYTECODE=1 \
        PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -c '
import sys, tracepipe
for row in tracepipe.open(sys.argv[1:]).breakdown():
    print(row["rank"], row["busy_ns"], sep="\t")' $sample/rank*.json.gz >have 2>err
    cmp want have >wrong 2>&1
    cat err >>wrong
    none wrong "the module for Python as installed"
else
    skip "the module for Python as installed" "no python3-cffi"
fi
if command -v man >said && man --version 2>&1 | grep -q '^man 2'; then
    for page in $(tools) tracepipe tr-intro tr-options tr-expr tr-stream libtrcore; do
        MANPATH=$tmp/root/usr/share/man man "$page" 2>&1 | grep -q '^NAME' || echo "$page"
    done >wrong
    none wrong "man finds every page"
else
    skip "man finds every page" "no man-db"
fi
in_root -P tracepipe python3-tracepipe libtrcore-dev libtrcore0
ok $? "dpkg -P"
find root ! -type d ! -path 'root/var/*' >wrong
find root/usr >>wrong 2>said
none wrong "nothing is left"
finish
