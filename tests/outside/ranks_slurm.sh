#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/recipes/ranks-slurm with Slurm: a cluster of four nodes on this machine.  The page of 64 ranks is that of one
# run, byte by byte, also if a program, a task and a node are killed; a broken trace is named.
. "$(dirname "$0")/lib.sh"
[ "$(uname)" = Linux ] || skip_all "Slurm is for Linux"
PATH=$PATH:/usr/sbin
outside sbatch slurm-wlm && outside munged munge || skip_all "$why"
[ "$(id -u)" -eq 0 ] || skip_all "only root may start its nodes"
. "$here/ranks.sh"
daemons=

# The processes that have the name of this folder in their environment: daemons, and what they started.
ours()
{
    for process in /proc/[0-9]*; do
        ! grep -qs "SLURM_CONF=$tmp/" "$process/environ" || echo "${process#/proc/}"
    done | grep -vx $$
}
stop()
{
    # shellcheck disable=SC2046,SC2086 # numbers of processes
    kill -9 $daemons $(ours) 2>/dev/null
    wait 2>/dev/null
    cd / && rm -rf "$tmp"
}
trap stop EXIT

host=$(uname -n)
port=$((20000 + $$ % 8000 * 5))
mkdir state && (umask 077 && head -c 128 /dev/urandom >munge.key)
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$tmp/munge.sock,cred_expire=5
CryptoType=crypto/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
MailProg=/bin/true
MaxArraySize=1001
MpiDefault=none
ProctrackType=proctrack/linuxproc
RequeueExit=75
ReturnToService=1
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=5
SlurmctldLogFile=$tmp/slurmctld.log
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdLogFile=$tmp/slurmd.%n.log
SlurmdPidFile=$tmp/slurmd.%n.pid
SlurmdSpoolDir=$tmp/%n
StateSaveLocation=$tmp/state
TaskPlugin=task/none
$(for n in 1 2 3 4; do
    echo "NodeName=n$n NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + n)) CPUs=2 State=UNKNOWN"
done)
PartitionName=all Nodes=n1,n2,n3,n4 Default=YES MaxTime=10 State=UP
END
export SLURM_CONF="$tmp/slurm.conf"

# daemon PROGRAM [OPTION]...: start it
daemon()
{
    "$@" >>daemons.log 2>&1 &
    daemons="$daemons $!"
}
daemon munged --foreground --force --key-file="$tmp/munge.key" --socket="$tmp/munge.sock" --pid-file="$tmp/munged.pid" \
    --log-file="$tmp/munged.log" --seed-file="$tmp/munged.seed"
until_there munge.sock 10
daemon slurmctld -D
for n in 1 2 3 4; do
    mkdir n$n
    daemon env NODE=n$n slurmd -D -N n$n
done
for _ in $(seq 100); do
    [ "$(sinfo -h -t idle -o %D 2>said)" = 4 ] && break
    sleep 0.2
done
is "$(sinfo -h -t idle -o %D 2>&1)" 4 "four nodes are up"

# submit OUT TRACE...
submit()
{
    OUT=$1 && shift
    OUT=$OUT K=4 EXPECT=0..63 TR=$tmp/bin/ sh "$recipes/ranks-slurm/submit.sh" "$@" 2>said
}
# over OUT: wait for the end, and say how it ended; show all of it where it did not
over()
{
    if until_there "$1/status" 200; then
        cat "$1/status"
    else
        { squeue && sinfo && cat "$1"/logs/count-* && tail -n 40 slurmctld.log; } | sed 's/^/# /' >&2
    fi
}

submit healthy in/rank*.json
is "$(over healthy)" 0 "64 ranks"
cmp want.txt healthy/report.txt >wrong 2>&1
none wrong "64 ranks: the page is that of one run"
none healthy/missing "64 ranks: nothing is missing"
is "$(cat healthy/logs/count-*)" "round 1: 0 of 64 parts are missing" "64 ranks: one round"

# a program is killed: Slurm starts its task again; a task is killed: the job that counts sends it again; a node is
# killed, with all that runs on it
fail 5 program
fail 30 task
fail 60 hang
submit faults in/rank*.json
until_there fault/60.hangs 60
ok $? "the node to kill has its task"
node=$(sed 's/.* //' fault/60.hangs)
all=$(for process in $(ours); do
    ! tr '\0' '\n' 2>said <"/proc/$process/environ" | grep -qx -e "SLURMD_NODENAME=$node" -e "NODE=$node" ||
        echo "$process"
done)
# shellcheck disable=SC2086 # numbers of processes
kill -STOP $all && kill -9 $all # none says any more that another one has ended
is "$(over faults)" 0 "faults"
cmp want.txt faults/report.txt >wrong 2>&1
none wrong "faults: the page is that of one run"
is "$(ls fault)" "60.hangs" "faults: each has happened"
is "$(sed -n '/^in/s/:.*//p; /^round/p' faults/logs/count-*)" "round 1: 4 of 64 parts are missing
in/rank30.json
in/rank31.json
in/rank32.json
in/rank33.json
round 2: 0 of 64 parts are missing" "faults: the parts of the task are missing once, and Slurm made the others"
is "$(sinfo -h -t down -o %N)" "$node" "faults: the node is down"

# a broken trace and a cut one
spoil
submit broken in/rank*.json
is "$(over broken)" 5 "a broken trace: status 5"
is "$(cat broken/missing)" "in/rank17.json: tr-report: in/rank17.json: unknown format (see tr-parse --list-formats)
tr-report: 1 rank is missing: 17" "a broken trace: it is named, and its rank"
cmp want63.txt broken/report.txt >wrong 2>&1
none wrong "a broken trace: the page is that of one run over the others"
like "$(cat broken/report.txt)" "*  18 *text ends in the middle*" "a cut trace: the page says so"
is "$(cat broken/logs/count-* | grep -c round)" 1 "a broken trace: it is not tried again"

# later they are whole: the same command makes what is missing
repair
submit broken in/rank*.json
is "$(over broken)" 0 "whole traces"
cmp want.txt broken/report.txt >wrong 2>&1
none wrong "whole traces: the page is that of one run"
is "$(grep -hc . broken/logs/todo-1)" 2 "whole traces: two parts are made"
submit broken in/rank1.json
is "$? $(cat said)" "2 broken is of other traces: remove it, or set OUT" "other traces are refused"
finish
