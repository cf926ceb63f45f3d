#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/debian: what `make install' installs goes into the packages, and the version is that of the source.
#
# TR_LONG=1, as `make check-long' sets it: also builds the packages from an archive, has lintian look at them,
# and installs and removes them below a folder of its own, so that the system stays as it is.
. "$(dirname "$0")/../harness/tap.sh"
top=$built/..
debian=$root/contrib/debian
[ -f "$top/config.status" ] && [ -f "$top/Makefile" ] || skip_all "not in a build folder"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS

version=$(sed -n 's/^AC_INIT(\[tracepipe\], \[\(.*\)\])$/\1/p' "$root/configure.ac")
like "$(head -n 1 "$debian/changelog")" "tracepipe ($version-*) *" "changelog: the version of configure.ac"
sed -n 's/^TR_OPTIONAL(\[\([a-z0-9]*\)\].*/\1/p' "$root/configure.ac" | sed 's/^lib//; s/.*/lib&-dev/' | while read -r package; do
    grep -qw "$package" "$debian/control" || echo "$package"
done >wrong
none wrong "control: every optional library is built in"

# Patterns as debhelper has them, of files or folders.
make -C "$top" install prefix=/usr DESTDIR="$tmp/dest" zshdir=/usr/share/zsh/vendor-completions >log 2>&1
ok $? "make install DESTDIR"
(cd dest && find . ! -type d | sed 's,^\./,,' | sort) >installed
sed 's,usr/lib/\*/,usr/lib/,' "$debian"/*.install "$debian/not-installed" >patterns
while read -r file; do
    found=
    while read -r pattern; do
        # shellcheck disable=SC2254 # a pattern is what is wanted
        case $file in $pattern | $pattern/*) found=yes ;; esac
    done <patterns
    [ "$found" ] || echo "$file"
done <installed >wrong
none wrong "every file goes into a package"
make -C "$top" uninstall prefix=/usr DESTDIR="$tmp/dest" zshdir=/usr/share/zsh/vendor-completions >log 2>&1
ok $? "make uninstall"
find dest ! -type d >wrong
none wrong "nothing is left"

sh "$root/contrib/deb.sh" none.tar.xz >out 2>err
is "$? $(cat err)" "2 deb.sh: none.tar.xz: no such file; make dist packs one" "deb.sh: no archive"

what="packages are built, installed and removed"
if [ "${TR_LONG:-0}" -eq 0 ]; then
    skip "$what" "takes minutes: make check-long"
    finish
fi
command -v dpkg-buildpackage >said && command -v dh >said || { skip "$what" "no dpkg-dev, debhelper" && finish; }
dpkg-checkbuilddeps "$debian/control" 2>said || { skip "$what" "$(sed 's/^.*error: //' said)" && finish; }
clean_up()
{
    cd / && rm -rf "$tmp" "${top:?}/dist-$$" "$top/dist-$$.tar.xz"
}
trap clean_up EXIT
make -C "$top" dist distdir=dist-$$ >log 2>&1 && nice sh "$root/contrib/deb.sh" "$top/dist-$$.tar.xz" debs >made 2>err
ok $? "packages are built"
sed 's/^/# /' err
is "$(grep -v -- -dbgsym_ made | sed 's/_.*//' | sort | tr '\n' ' ')" "libtrcore-dev libtrcore0 tracepipe " "the packages"

if command -v lintian >said; then
    lintian --allow-root --fail-on error debs/*.changes >said 2>&1
    ok $? "lintian finds no error"
    sed 's/^/# /' said
else
    skip "lintian finds no error" "no lintian"
fi

# in_root ACTION...: dpkg below a folder; what packages depend on is that of the system
in_root()
{
    dpkg --root="$tmp/root" --force-not-root --force-depends --force-script-chrootless --no-triggers "$@" >log 2>&1
}
mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates root/var/log
: >root/var/lib/dpkg/status
in_root -i debs/tracepipe_*.deb debs/libtrcore0_*.deb debs/libtrcore-dev_*.deb
status=$?
ok $status "dpkg -i"
[ $status -eq 0 ] || sed 's/^/# /' log
sample=root/usr/share/tracepipe/sample
tr-breakdown -O tsv "$root"/contrib/sample/rank*.json.gz >want
root/usr/bin/tr-breakdown -O tsv $sample/rank*.json.gz >have
cmp want have >wrong
none wrong "a program as installed, on the sample as installed"
if command -v man >said && man --version 2>&1 | grep -q '^man 2'; then
    for page in $(tools) tr-intro tr-options tr-expr tr-stream libtrcore; do
        MANPATH=$tmp/root/usr/share/man man "$page" 2>&1 | grep -q '^NAME' || echo "$page"
    done >wrong
    none wrong "man finds every page"
else
    skip "man finds every page" "no man-db"
fi
in_root -P tracepipe libtrcore-dev libtrcore0
ok $? "dpkg -P"
find root ! -type d ! -path 'root/var/*' >wrong
find root/usr >>wrong 2>said
none wrong "nothing is left"
finish
