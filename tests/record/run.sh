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
is "$(ls -d "${TMPDIR:-/var/tmp}"/tr-record-* 2>/dev/null | wc -l | tr -d ' ')" 0 "no temporary folder is left"

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
