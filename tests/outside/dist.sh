#!/bin/sh
# SPDX-License-Identifier: MIT
# make dist: the bytes of the archive depend on what is packed alone, not on the time, the user's umask or the folder.
. "$(dirname "$0")/lib.sh"
top=$built/..
[ -f "$top/config.status" ] && [ -f "$top/Makefile" ] || skip_all "not in a build folder"
outside xz xz-utils || skip_all "$why"
tar --version 2>&1 | grep -q 'GNU tar' || skip_all "no GNU tar"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS XZ_OPT

clean_up()
{
    cd / && chmod -R u+w "$top/dist-$$" 2>/dev/null
    rm -rf "$tmp" "$top/dist-$$" "$top/dist-$$.tar.xz"
}
trap clean_up EXIT
for mask in 022 077; do
    (umask $mask && make -C "$top" dist distdir=dist-$$) >log 2>&1
    ok $? "make dist, umask $mask"
    mv "$top/dist-$$.tar.xz" $mask.tar.xz
done
cmp 022.tar.xz 077.tar.xz >wrong 2>&1
none wrong "both have the same bytes"
tar -tvf 022.tar.xz >list
awk '{ print $2, $4, $5 }' list | sort -u | wc -l | tr -d ' ' >times
is "$(cut -d ' ' -f 2 list | sort -u) $(cat times)" "0/0 1" "one owner, one time"
awk '{ print $1 }' list | grep -vxE 'drwxr-xr-x|-rw-r--r--|-rwxr-xr-x' >wrong
none wrong "permissions of three kinds"

# another time, said by who packs
SOURCE_DATE_EPOCH=1700000000 make -C "$top" dist distdir=dist-$$ >log 2>&1
is "$(TZ=UTC tar -tvf "$top/dist-$$.tar.xz" | awk '{ print $4 }' | sort -u)" 2023-11-14 "SOURCE_DATE_EPOCH is the time"

# what is unpacked packs itself: no git there
mkdir unpacked && tar -xf 022.tar.xz -C unpacked
is "$(sh "$root/contrib/date.sh" unpacked/dist-$$)" "$(sh "$root/contrib/date.sh" "$root")" "what is unpacked has the same time"
finish
