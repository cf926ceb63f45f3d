#!/bin/sh
# SPDX-License-Identifier: MIT
# Print the time of the source, in seconds since 1970: SOURCE_DATE_EPOCH if it is set, else that of the last commit, else
# that of configure.ac, which has that time in what `make dist' packs.
#
# usage: date.sh SOURCE
if [ "${SOURCE_DATE_EPOCH-}" ]; then
    echo "$SOURCE_DATE_EPOCH"
elif [ ! -e "$1/.git" ] || ! git -C "$1" log -1 --format=%ct 2>/dev/null; then
    stat -c %Y "$1/configure.ac" 2>/dev/null || stat -f %m "$1/configure.ac"
fi
