#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/recipes/ranks_dask.py with Dask and the package for Python: workers of its own, and a scheduler with two workers.  The page of 64 ranks
# is that of one run, byte by byte, also if programs and workers are killed; what is missing is named.
. "$(dirname "$0")/lib.sh"
[ "$(uname)" = Linux ] || skip_all "only for Linux"
# the package is for the Python of Debian, which need not be the first one
{ [ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import distributed' 2>said; } ||
    outside dask-scheduler python3-distributed || skip_all "$why"
/usr/bin/python3 -c 'import cffi' 2>said || get python3-cffi >apt.log 2>&1 || skip_all "no cffi"
PYTHON=/usr/bin/python3
. "$root/tests/python/lib.sh"
. "$here/ranks.sh"
PATH=$tmp/bin:/usr/bin:$PATH
DASK_TEMPORARY_DIRECTORY=$tmp/dask
export DASK_TEMPORARY_DIRECTORY
daemons=
stop()
{
    # shellcheck disable=SC2086 # numbers of processes
    [ ! "$daemons" ] || kill -9 $daemons 2>/dev/null
    wait 2>/dev/null
    cd / && rm -rf "$tmp"
}
trap stop EXIT

# recipe OUT ARG...: its status is printed
recipe()
{
    out=$1
    shift
    timeout 300 /usr/bin/python3 "$recipes/ranks_dask.py" --workers 2 --out "$out" --expect 0..63 "$@" >said 2>&1
    echo $?
}

is "$(recipe healthy in/rank*.json)" 0 "64 ranks"
is_whole healthy "64 ranks"
# a program is killed, and a worker
fail 5 program
fail 30 task
is "$(recipe faults in/rank*.json) $(ls fault)" "0 " "a program and a worker are killed"
is_whole faults "a program and a worker are killed"
fail 40 deadly
is "$(recipe deadly in/rank*.json)" 5 "a trace kills each worker"
like "$(cat deadly/missing)" "in/rank40.json: KilledWorker: *
1 rank is missing: 40" "a trace kills each worker: it is named, and its rank"
rm fault/40

# workers of a cluster, of which one is lost while it works
PATH=$PATH:/usr/sbin
dask-scheduler --host 127.0.0.1 --port 0 --no-dashboard --scheduler-file scheduler.json >scheduler.log 2>&1 &
daemons=$!
until_there scheduler.json 60
for n in 1 2; do
    dask-worker --scheduler-file scheduler.json --host 127.0.0.1 --no-nanny --no-dashboard --nthreads 1 \
        >worker$n.log 2>&1 &
    eval "worker$n=$!"
    daemons="$daemons $!"
done
fail 60 hang
address=$(sed -n 's/^  "address": "\([^"]*\)".*/\1/p' scheduler.json)
recipe cluster --scheduler "$address" in/rank*.json >status &
recipe_run=$!
until_there fault/60.hangs 60
ok $? "the worker to kill has its task"
hangs=$(cut -d ' ' -f 1 fault/60.hangs)
worker=$(ps -o ppid= -p "$hangs" | tr -d ' ')
case $worker in
"$worker1" | "$worker2") kill -9 "$worker" ;;
*) false ;;
esac
ok $? "a worker is lost"
wait $recipe_run
kill -9 "$hangs"
is "$(cat status)" 0 "the other one does its work"
is_whole cluster "the other one does its work"

# the same function without Dask, and with any pipe
cat >pool.py <<'END'
import glob
import multiprocessing
import sys
sys.path.insert(0, sys.argv[1])
from ranks_dask import page, part
if __name__ == "__main__":
    traces = sorted(glob.glob("in/rank*.json"))
    with multiprocessing.Pool(2) as pool:
        sys.exit(page(traces, pool.map(part, traces), "pool"))
END
/usr/bin/python3 pool.py "$recipes" >said 2>&1
is "$?" 0 "multiprocessing"
is_whole pool "multiprocessing"
is "$(recipe pipe --read 'cat {}' in/rank*.json)" 0 "traces through a pipe"
is "$(recipe some --part step=15 --page sections=steps --page top=1 in/rank*.json)" 0 "a step, a section"
tr-report -q --distinct=64 --step 15 --sections steps --top 1 in/rank*.json | grep -v '^\$' >step.txt
grep -v '^\$' some/report.txt | cmp step.txt - >wrong 2>&1 # a command does not know what was selected of the parts
none wrong "a step, a section: the page is that of one run"
# all but the commands, which have the names of files
for folder in healthy pipe; do
    tr-report -q -O json $folder/parts | /usr/bin/python3 -c '
import json, sys
page = json.load(sys.stdin)
for finding in page["findings"]:
    print(finding["sentence"], finding["impact_us"])
for name, section in page.items():
    if name not in ("version", "findings"):
        print(name, section["rows"])
' >$folder.rows
done
like "$(cut -d ' ' -f 1 healthy.rows | tr '\n' ' ')" "*breakdown*kernels*stragglers*" "traces through a pipe: sections"
cmp healthy.rows pipe.rows >wrong 2>&1
none wrong "traces through a pipe: the figures are those of files"
is "$(recipe none --read 'cat {}; exit 1' in/rank1.json)" 3 "a pipe fails: there is nothing"
like "$(cat none/missing)" "in/rank1.json: RuntimeError: *status 1 of: cat *" \
    "a pipe fails: it is named, with the reason"

# a broken trace and a cut one
spoil
is "$(recipe broken in/rank*.json)" 5 "a broken trace: status 5"
is "$(cat broken/missing)" "in/rank17.json: unknown format (see tr-parse --list-formats)
1 rank is missing: 17" "a broken trace: it is named, and its rank"
cmp want63.txt broken/report.txt >wrong 2>&1
none wrong "a broken trace: the page is that of one run over the others"
like "$(cat broken/report.txt)" "*  18 *text ends in the middle*" "a cut trace: the page says so"
finish
