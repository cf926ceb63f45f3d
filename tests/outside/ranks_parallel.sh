#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/recipes/ranks-parallel.sh with GNU parallel, on this machine and as on two others.  The page of 64 ranks is
# that of one run, byte by byte, also after programs, parallel itself and a machine have failed; what is missing is
# named.
. "$(dirname "$0")/lib.sh"
outside parallel || skip_all "$why"
case $(parallel --version 2>/dev/null) in "GNU parallel"*) ;; *) skip_all "another parallel" ;; esac
. "$here/ranks.sh"
PARALLEL_HOME=$tmp/home HOME=$tmp
export PARALLEL_HOME HOME

# recipe OUT TRACE...: its status is printed
recipe()
{
    OUT=$1 && shift
    OUT=$OUT EXPECT=0..63 TR=$tmp/bin/ sh "$recipes/ranks-parallel.sh" "$@" >said 2>&1
    echo $?
}

is "$(recipe healthy in/rank*.json)" 0 "64 ranks"
is_whole healthy "64 ranks"
is "$(recipe healthy in/rank*.json) $(tail -n +2 healthy/joblog | wc -l)" "0 64" "the same again: nothing is read again"
is_whole healthy "the same again"
is "$(recipe healthy in/rank1.json) $(cat said)" "2 healthy is of other traces: remove it, or set OUT" \
    "other traces are refused"

# a program and a task are killed: they are tried again; parallel is killed: what was not reached is named, and the next
# run reads it
fail 5 program
fail 30 task
fail 60 hang
PARALLEL=-j1
export PARALLEL
recipe faults in/rank*.json >status &
until_there fault/60.hangs 60
# shellcheck disable=SC2046 # numbers of processes
kill -9 $(ps -e -o pid= -o ppid= -o args= | awk -v me=$$ '
    { parent[$1] = $2 } /[p]erl .*parallel --will-cite/ { found[$1] }
    END { for (p in found) for (q = p; q > 1; q = parent[q]) if (q == me) print p }') $(cat fault/60.hangs)
wait
is "$(cat status)" 5 "parallel is killed"
is "$(sed 's/:.*//' faults/missing)" "$(printf 'in/rank%s.json\n' 60 61 62 63 7 8 9)
tr-report" "parallel is killed: each trace that is missing is named"
like "$(cat faults/missing)" "*in/rank61.json: not reached
*tr-report: 7 ranks are missing: 7, 8, 9, 60, 61, 62, 63" "parallel is killed: each rank that is missing is named"
is "$(recipe faults in/rank*.json)" 0 "the next run"
is_whole faults "the next run"
is "$(ls fault)" "60.hangs" "each fault has happened"

# two machines, of which one dies after some jobs: ssh without a network
cat >ssh <<'END'
#!/bin/sh
while :; do
    case $1 in -*) shift ;; *) break ;; esac
done
machine=$1
shift
[ "$1" != -- ] || shift
case $machine in dying)
    [ "$(ls deaths | wc -l)" -lt 4 ] || exit 255
    : >deaths/$$
    ;;
esac
exec sh -c "$*"
END
chmod +x ssh && mkdir deaths
PARALLEL="--ssh $tmp/ssh --sshlogin 1/dying,1/good"
unset SHELL # as under cron
is "$(recipe machines in/rank*.json)" 0 "a machine dies"
is_whole machines "a machine dies"
done_by=$(awk -F '\t' '$7 == 0 { n[$2]++ } END { print (n["dying"] > 0), n["dying"] + n["good"] }' machines/joblog)
is "$(ls deaths | wc -l | tr -d ' ') $done_by" "4 1 64" "a machine dies: it has done some, and the other one the rest"
unset PARALLEL

# a broken trace and a cut one
spoil
is "$(recipe broken in/rank*.json)" 5 "a broken trace: status 5"
is "$(cat broken/missing)" "in/rank17.json: tr-report: in/rank17.json: unknown format (see tr-parse --list-formats)
tr-report: 1 rank is missing: 17" "a broken trace: it is named, and its rank"
cmp want63.txt broken/report.txt >wrong 2>&1
none wrong "a broken trace: the page is that of one run over the others"
like "$(cat broken/report.txt)" "*  18 *text ends in the middle*" "a cut trace: the page says so"
cp whole/rank17.json in/
is "$(recipe broken in/rank*.json) $(wc -l <broken/missing | tr -d ' ')" "0 0" \
    "the trace is whole: the next run reads it"

# the sessions of the page
TR_BIN=$bin sh "$root/tests/harness/run-examples" "$root/man/tr-cluster.7" >said 2>&1
is "$(grep -c '^ok' said) $(grep -c SKIP said)" "3 0" "the page has sessions"
grep -e '^not ok' -e '^#' said >wrong
none wrong "sessions of tr-cluster(7)"
finish
