#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-record, with programs that are instrumented as others are: each of their calls is in the stream, with its args, and
# nothing else is.
. "$(dirname "$0")/../harness/tap.sh"
programs=$built/record
library=$bin/../contrib/.libs/libtrcapture.so
[ -x "$bin/tr-record" ] || skip_all "not built: tr-record"
[ -r "$library" ] || skip_all "the recorder is not built"
[ "$(getconf LONG_BIT)" = 64 ] || skip_all "the programs load a library of 64 bits"
unset INTEL_ITTNOTIFY_GROUPS PMIX_RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID RANK LD_PRELOAD
mkdir temporary
TMPDIR=$tmp/temporary # other tests record at the same time
export TMPDIR

# counts FILE: how often there is which name
counts()
{
    tr-sum --by name -O tsv "$1" 2>counts.said | sed 1d | cut -f 1,2 | sort | tr '\t\n' '  '
}

# record NAME OPTION...: to NAME.trs; what is said to NAME.said
record()
{
    name=$1
    shift
    tr-record -o "$name.trs" "$@" >"$name.out" 2>"$name.said"
}

itt=$programs/itt_program

# ---- one of everything of ITT ----
record all "$itt" all
is $? 0 "ITT: the program ends as it does alone"
none all.said "nothing is said"
tr-view -O tsv --unit ns --columns phase,activity,name,cat,args,members all.trs >all.tsv
sed -E '1d; s/\{"id":"[0-9]+"\}$/{"id":"N"}/' all.tsv | sort >have
cat <<'END' | sort >want
span	annotation	outer	user_annotation	{"domain":"app","size":42,"shape":"2, -3","note":"a note"}	
span	annotation	inner	user_annotation	{"domain":"app","id":"10:1","parent":"10:2","depends_on":"10:2","size":42}	
instant	other	mark	user_annotation	{"domain":"app","scope":"global"}	
async_begin	annotation	lap	user_annotation	{"domain":"app","id":"10:1"}	{"id":"N"}
async_begin	annotation	lap	user_annotation	{"domain":"app","id":"10:2","parent":"10:1","note":"late"}	{"id":"N"}
async_begin	annotation	part	user_annotation	{"domain":"app","id":"10:1"}	{"id":"N"}
async_begin	annotation	app	user_annotation	{"domain":"app","id":"5"}	{"id":"N"}
async_begin	annotation	app	user_annotation	{"domain":"app"}	{"id":"N"}
counter	other	level	user_annotation	{"value":2.5,"domain":"app"}	
counter	other	sent	user_annotation	{"value":5,"domain":"app"}	
counter	other	sent	user_annotation	{"value":12,"domain":"app"}	
async_begin	annotation	an event	user_annotation		{"id":"N"}
span	host_comm	oneCCL::allreduce	cpu_op	{"domain":"oneCCL::2021"}	
instant	other	recording paused	recording		
instant	other	recording resumed	recording		
span	annotation	late	user_annotation	{"domain":"app"}	
END
diff want have >wrong
none wrong "ITT: all calls with their args, and not those while it is paused"
tr-info -O json all.trs >info 2>&1
grep -q 'main thread' info || tr-view -O chrome all.trs | grep -q 'main thread'
ok $? "ITT: the name of a thread"

# ---- which are nested, and in time ----
tr-view -O tsv --unit ns --columns name,ts,dur all.trs 2>/dev/null | awk -F '\t' '
    $1 == "outer" { from = $2; to = $2 + $3 }
    $1 == "inner" { inside = $2 >= from && $2 + $3 <= to }
    END { exit !inside }'
ok $? "ITT: the inner task is inside the outer one"

# ---- threads ----
record threads "$itt" threads
is "$(counts threads.trs)" "inner 8000 outer 8000 " "threads at once: each task is there"
is "$(tr-sum --by thread -O tsv threads.trs | sed 1d | wc -l | tr -d ' ')" 8 "each has its thread"
record turns "$itt" turns
is "$(counts turns.trs)" "inner 20000 outer 20000 " "threads one after the other: each task is there"

# ---- processes ----
record fork "$itt" fork
is "$(counts fork.trs)" "child 3 parent 1 " "fork: children, and their parent, once"
is "$(tr-view -O tsv --columns pid fork.trs | sed 1d | sort -u | wc -l | tr -d ' ')" 4 "fork: each has its process"
record exec "$itt" exec
is $? 3 "exec: the status is that of the program"
is "$(counts exec.trs)" "after 1 before 1 " "exec: before and after"

# ---- killed ----
record killed "$itt" killed
is $? 137 "killed: the status says by what"
is "$(counts killed.trs)" "done 5000 inner 2000 outer 2000 " "killed: nothing is lost"
like "$(cat killed.said)" "*begin without an end*" "killed: the open task is counted"
is "$(tr-view -O tsv --columns name,dur killed.trs 2>/dev/null | grep '^never')" "never ends	" "killed: it is there, without an end"

# ---- what is chosen ----
record some --include 'in*' --include outer --exclude inner "$itt" all
none some.said "by name: nothing is said"
is "$(counts some.trs)" "outer 1 " "by name: included, and not excluded"
record paused --start-paused "$itt" all
is "$(counts paused.trs)" "late 1 " "paused at the start: from where the program resumes"
record window --start-after 200ms --stop-after 400ms "$itt" wait 600
n=$(tr-sum --by name -O tsv window.trs 2>/dev/null | awk '$1 == "tick" { print $2 }')
[ "${n:-0}" -gt 0 ] && [ "$n" -lt 200 ]
ok $? "by time: only tasks between (${n:-none})"
record ring --ring 100ms "$itt" wait 500
tr-view -O tsv --unit ns --columns ts,dur ring.trs | sed 1d | sort -n | awk '
    NR == 1 { first = $1 + $2 } { last = $1 + $2 } END { exit !(NR > 0 && NR <= 101 && last - first <= 100000000) }'
ok $? "a ring: no task ended before the last 100 ms"

# ---- sessions with names ----
sessions=$tmp/sessions
mkdir "$sessions"
# say WORD: to the program, and wait until it has had its turn
say()
{
    echo "$1" >word.new
    mv word.new word
    sleep 0.3
}
steer()
{
    TMPDIR=$sessions tr-record "$@" >steer.said 2>&1 || echo "status $?"
    sleep 0.2
}
echo 1 >word
TMPDIR=$sessions tr-record --session job -o session.trs "$itt" until word 2>session.said &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -L "$sessions/tr-record.$(id -u).job" ] && break
    sleep 0.1
done
sleep 0.3
is "$(steer --pause job)" "" "a session: it can be paused"
say 2
is "$(steer --session job true; cat steer.said)" "status 2
tr-record: a session 'job' runs already" "its name is taken"
say 3
is "$(steer --resume job)" "" "it can be resumed"
is "$(steer --stop job)" "" "and stopped"
say 2
is "$(steer --resume job)" "" "what is stopped can be asked to resume"
say end
wait $pid
is "$? $(grep -v 'without an' session.said)" "0 " "the program goes on to its end"
n=$(counts session.trs)
like "$n" "one * three *" "what was done before, and after it was resumed"
case $n in *two*) false ;; esac
ok $? "nothing while it was paused, or after it was stopped"
is "$(steer --pause job; cat steer.said)" "status 3
tr-record: no session 'job' runs: there is no '$sessions/tr-record.$(id -u).job' of one" "a session that is over"
is "$(steer --pause 'a job'; cat steer.said)" "status 2
tr-record: 'a job' is no name of a session: up to 64 letters, digits, _ and -" "a name that none can have"
ln -s /nowhere "$sessions/tr-record.$(id -u).left"
TMPDIR=$sessions tr-record -o left.trs --session left "$itt" pause
is "$? $(counts left.trs)" "0 paused 1 resumed 1 " "what a killed one left is no session; in one, programs do not pause"
is "$(ls "$sessions")" "" "no link is left"

# ---- by the environment ----
(unset SWITCH; tr-record -o switch.trs --switch SWITCH "$itt" switch)
is "$(counts switch.trs)" "set 1 set again 1 " "a variable: while it is set"
(SWITCH=1 tr-record -o switch.trs --switch SWITCH "$itt" switch)
is "$(counts switch.trs)" "at the start 1 set 1 set again 1 " "a variable: that is set at the start"
(unset SWITCH; tr-record -o switch.trs --switch SWITCH sh -c "$itt after; SWITCH=1 $itt fork; SWITCH=01 $itt after")
is "$(counts switch.trs)" "child 3 parent 1 " "a variable that a shell sets for one program"
record both --session both --switch SWITCH true
is "$? $(cat both.said)" "2 tr-record: --session and --switch exclude each other: who decides?" "not both"

# ---- by rank, and by process ----
for ranks in 0,2..3 1; do
    tr-record -o ranks.trs --ranks $ranks sh -c "for RANK in 0 1 2 3 4; do export RANK; $itt after; done"
    tr-view -O tsv --columns rank ranks.trs | sed 1d | sort -u | tr '\n' ' '
done >have
is "$(cat have)" "0 2 3 1 " "--ranks: these only"
record ranks --ranks 1..x true
is "$? $(cat ranks.said)" "2 tr-record: option --ranks: '1..x' is no list of ranks, such as 0,3,8..15" "--ranks: no list"
record single --no-follow-child "$itt" fork
is "$(counts single.trs)" "parent 1 " "--no-follow-child: not those that it forks"
record single --no-follow-child "$itt" exec
is "$(counts single.trs)" "after 1 before 1 " "--no-follow-child: but what it becomes"
record single --no-follow-child sh -c "$itt after; :"
is $? 3 "--no-follow-child: not those that it runs"

# ---- a folder for each application ----
tr-record --result-dir results sh -c "$itt exec; RANK=7 $itt after" 2>said
is "$? $(cat said)" "3 " "--result-dir: the status is that of the command"
(cd results && ls -d */* | sed 's/[0-9][0-9]*\//N\//') >have
is "$(cat have)" "itt_program.N/trace.trs
rank_7.itt_program.N/trace.trs" "--result-dir: a folder for each application"
is "$(counts results/rank_7.*/trace.trs)" "after 1 " "--result-dir: with what it did"
is "$(tr-view -q -O tsv --columns rank results | sed 1d | sort | tr '\n' ' ')" "0 0 7 " "--result-dir: that can be read together"
tr-record --result-dir results true 2>said
is "$? $(cat said)" "2 tr-record: 'results' is not an empty folder" "--result-dir: nothing is written over"
record both --result-dir other true
is "$? $(cat both.said)" "2 tr-record: -o and --result-dir exclude each other" "--result-dir: not with -o"

# ---- where the stream goes, and the rest ----
tr-record -o - "$itt" all 2>said | tr-sum --by name -O tsv >have 2>/dev/null
grep -q '^outer' have
ok $? "-o -: the stream is on standard output"
tr-record -o - sh -c "echo from the command; exec $itt all" 2>said | tr-info >/dev/null 2>&1
is $? 0 "-o -: the output of the command is not in the stream"
like "$(cat said)" "*from the command*" "-o -: but on standard error"
(cd "$tmp" && tr-record "$itt" all) && [ -s record.trs ]
ok $? "without -o, the stream is record.trs"
record keep --folder kept "$itt" threads
cat kept/*.trr kept/*.live | tr-parse -o joined.trs - 2>said
is "$(counts joined.trs)" "inner 8000 outer 8000 " "--folder: what is left there can be read"
record keep --folder kept "$itt" threads
is $? 2 "--folder: not where something is"
RANK=3 tr-record -o rank.trs "$itt" all
is "$(tr-view -O tsv --columns rank rank.trs | sed 1d | sort -u)" 3 "the rank is that of the launcher"
rm -f job.trs
tr-record -o job.trs true 2>said
is "$? $(ls job.trs 2>&1 | grep -c '^job')" "3 0" "a program that makes no call: no stream"
like "$(cat said)" "tr-record: nothing was recorded*" "and it is said"
tr-record -o job.trs ./nothing 2>said
is "$? $(cat said)" "4 tr-record: cannot run './nothing': No such file or directory" "a command that is not there"
tr-record -o term.trs "$itt" wait 5000 &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
is $? 143 "a signal is passed on"
[ -s term.trs ]
ok $? "and the stream is written"
is "$(ls "$TMPDIR")" "" "no temporary folder is left"

# ---- NVTX and ROCTX ----
record nvtx "$programs/nvtx_program"
is "$? $(cat nvtx.said)" "0 " "NVTX: the program gets the results that it expects"
tr-view -O tsv --columns phase,name,args nvtx.trs | sed 1d | sort >have
cat <<'END' | sort >want
span	step 0	
span	step 1	
span	step 2	
span	registered	{"domain":"solver","payload":77,"category":4}
span	registered	{"domain":"solver","payload":77,"category":4}
span	registered	{"domain":"solver","payload":77,"category":4}
span	café 😀	{"payload":0.5}
span	café 😀	{"payload":0.5}
span	café 😀	{"payload":0.5}
async_begin	overlaps	
async_begin	registered	{"domain":"solver","payload":77,"category":4}
instant	a mark	
END
diff want have >wrong
none wrong "NVTX: all ranges and marks, with their args"
record roctx "$programs/roctx_program"
is "$? $(cat roctx.said)" "0 " "ROCTX: the program gets the results that it expects"
is "$(counts roctx.trs)" "beside 1 inner 1 outer 1 overlaps 1 " "ROCTX: all ranges, and not those while it is paused"
finish
