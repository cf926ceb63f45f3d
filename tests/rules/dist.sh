#!/bin/sh
# SPDX-License-Identifier: MIT
# The archive that `make dist' packs: it holds every file of the source, and is all that a build needs.
#
# TR_LONG=1, as `make check-long' sets it: also `make distcheck' with few of the tests, where none of the
# autotools can be run.  It unpacks the archive, builds in another folder than the source, tests, installs,
# uninstalls, and looks for what was left behind.
. "$(dirname "$0")/../harness/tap.sh"
top=$built/..
[ -f "$top/config.status" ] && [ -f "$top/Makefile" ] || skip_all "not in a build folder"

# not a part of the make that runs the tests
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS
clean_up()
{
    cd / && chmod -R u+w "$top/$packed" 2>/dev/null
    rm -rf "$tmp" "${top:?}/${packed:?}"
}
packed=dist-test.$$ # make wants it in the build folder
trap clean_up EXIT
make -C "$top" distdir distdir=$packed >log 2>&1
ok $? "make distdir"
(cd "$top/$packed" && find . -type f | sed 's,^\./,,' | sort) >have

# Only for those who change the source.
cat >left_out <<'LIST'
.gitignore
LIST
if [ -e "$root/.git" ] && git -C "$root" ls-files >tracked 2>said; then
    sort tracked | while read -r file; do
        [ ! -f "$root/$file" ] || echo "$file"
    done | comm -23 - have | comm -3 - left_out >wrong
    none wrong "every file of the source is packed, or known to be left out"
    while read -r file; do
        [ -f "$root/$file" ] && [ -f "$top/$packed/$file" ] || continue
        cmp -s "$root/$file" "$top/$packed/$file" || echo "$file differs"
        [ ! -x "$root/$file" ] || [ -x "$top/$packed/$file" ] || echo "$file cannot be run"
    done <tracked >wrong
    none wrong "packed as it is"
    # what the autotools made, so that who builds needs none of them
    git -C "$root" ls-files --others --exclude-standard | sort - tracked | comm -13 - have |
        grep -vE '^(aclocal\.m4|configure|config\.h\.in|build-aux/[a-z.-]+|m4/l[a-z~]+\.m4|(.*/)?Makefile\.in)$' >wrong
    none wrong "nothing else is packed"
else
    skip "every file of the source is packed" "not a checkout"
fi
for file in configure Makefile.in config.h.in aclocal.m4 build-aux/ltmain.sh build-aux/tap-driver.sh; do
    grep -qxF "$file" have || echo "$file"
done >wrong
none wrong "what autotools would make is packed"

if [ "${TR_LONG:-0}" -eq 0 ]; then
    skip "make distcheck without autotools" "takes minutes: make check-long"
    finish
fi
mkdir stubs
for program in autoconf autoheader autom4te automake aclocal autoreconf libtoolize; do
    printf '#!/bin/sh\necho "%s $*" >>"%s"\nexit 1\n' $program "$tmp/called" >stubs/$program
    chmod +x stubs/$program
done
PATH=$tmp/stubs:$PATH
: >called
mkdir build
options=$("$top/config.status" --config) # quoted for a shell
(
    cd build && eval "set -- $options" && "$top/$packed/configure" -q "$@" &&
        make -j2 distcheck DISTCHECK_CONFIGURE_FLAGS="$options" \
            TESTS="unit/num rules/layers.sh rules/pages.sh golden.sh"
) >log 2>&1
ok $? "make distcheck without autotools"
grep -q 'archives ready for distribution' log || tail -n 60 log | sed 's/^/# /'
none called "none was called for"
finish
