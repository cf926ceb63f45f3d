#!/bin/sh
# Build tracepipe and show what it does, on your traces or on the sample.
#
# usage: contrib/demo.sh [TRACE]...
#
# What the build needs is installed first if that is possible: see setup.sh.  The build is in build-demo;
# nothing outside of it is changed.

here=$(pwd)
cd "$(dirname "$0")/.." || exit 4
top=$(pwd)
. contrib/setup.sh
tracepipe_setup
tracepipe_build build-demo || exit
PATH=$top/build-demo/tools:$PATH
export PATH

cd "$here" || exit 4
if [ $# -eq 0 ]; then
    cd "$top/contrib/sample" || exit 4
    set -- rank*.json.gz
fi

# show COMMAND: print it as one would type it, then what it prints.
show()
{
    printf '\n$ %s\n' "$1"
    eval "$1" || exit
}

# the names as a shell reads them
names=
for trace; do
    case $trace in
    *[!A-Za-z0-9_./+-]*) trace=\'$(printf '%s' "$trace" | sed "s/'/'\\\\''/g")\' ;;
    esac
    names="$names $trace"
done
names=${names# }

echo "What is in the trace, and can it be trusted?"
show "tr-info -O text $names"
echo
echo "Where did the time of the devices go?"
show "tr-parse $names | tr-breakdown --by time -O text"
echo
echo "More: man -l $top/man/tr-intro.7; the programs are in $top/build-demo/tools."
