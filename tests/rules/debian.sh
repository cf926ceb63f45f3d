#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/debian: what `make install' installs goes into the packages, and the version is that of the source.
# outside/debian.sh builds and installs them.
. "$(dirname "$0")/../harness/tap.sh"
top=$built/..
debian=$root/contrib/debian
[ -f "$top/config.status" ] && [ -f "$top/Makefile" ] || skip_all "not in a build folder"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS

version=$(sed -n 's/^AC_INIT(\[tracepipe\], \[\(.*\)\])$/\1/p' "$root/configure.ac")
like "$(head -n 1 "$debian/changelog")" "tracepipe ($version-*) *" "changelog: the version of configure.ac"
sed -n 's/^TR_[OL][A-Z]*(\[\([a-z0-9]*\)\].*/\1/p' "$root/configure.ac" | sed 's/^lib//; s/.*/lib&-dev/' | while read -r package; do
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
finish
