#!/bin/sh
# SPDX-License-Identifier: MIT
# Make packages for Debian and its derivatives from the archive that `make dist' packs.
#
# usage: contrib/deb.sh ARCHIVE [FOLDER]
#
# FOLDER  where the packages go [.]
#
# Needs dpkg-dev, debhelper and the packages of Build-Depends in contrib/debian/control; missing ones are listed.
# The tests are not run, because check.sh runs them; DEB_BUILD_OPTIONS= in the environment runs them.
# The status is 2 for wrong operands, 4 if the packages cannot be made.

die()
{
    echo "deb.sh: $2" >&2
    exit "$1"
}
case ${1-} in
-h | --help)
    sed -n '3,/^$/s/^# \{0,1\}//p' "$0"
    exit
    ;;
esac
[ $# -eq 1 ] || [ $# -eq 2 ] || die 2 "usage: deb.sh ARCHIVE [FOLDER]"
[ -f "$1" ] || die 2 "$1: no such file; make dist packs one"
for program in dpkg-buildpackage dh; do
    command -v $program >/dev/null || die 4 "no $program: apt-get install dpkg-dev debhelper"
done
unset CDPATH
folder=$(mkdir -p "${2:-.}" && cd "${2:-.}" && pwd) && [ -w "$folder" ] || die 4 "cannot write in ${2:-.}"

work=$(mktemp -d "${TMPDIR:-/tmp}/tr-deb.XXXXXX") || exit 4
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
tar -x -f "$1" -C "$work" || die 4 "$1 cannot be unpacked"
set -- "$1" "$work"/*
[ $# -eq 2 ] && [ -d "$2/contrib/debian" ] || die 2 "$1: not an archive of tracepipe"
cp -R "$2/contrib/debian" "$2/debian" && cd "$2" || exit 4
DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS-nocheck}
export DEB_BUILD_OPTIONS
if ! dpkg-checkbuilddeps 2>"$work/log"; then
    die 4 "$(sed 's/^dpkg-checkbuilddeps: error: //' "$work/log")"
fi
if ! dpkg-buildpackage -us -uc -b >"$work/log" 2>&1; then
    tail -n 60 "$work/log" >&2
    die 4 "dpkg-buildpackage failed"
fi
cd "$work" && cp -- *deb *.buildinfo *.changes "$folder" && ls -- *deb
