#!/bin/sh
# SPDX-License-Identifier: MIT
# Tables for other programs, read back by these: sqlite3, pandas, DuckDB (to Parquet and back), LibreOffice.  Each cell is
# that of JSON, for traces of five kinds: two ranks of PyTorch; names of hostile sorts and times with all digits; rocprofv3;
# XPlane, with picoseconds; graphs.  TR_CORPUS adds three of a folder.  Sessions of tr-tables(7) run, too.
. "$(dirname "$0")/lib.sh"
gen=${TR_GEN:-$built/gen/trgen}
case $gen in /*) ;; *) gen=$built/$gen ;; esac
[ -x "$bin/tr-view" ] && [ -x "$gen" ] || skip_all "the programs are not built"
outside python3 || skip_all "$why"
python=python3
check=$here/tables_check.py

# The package is for the Python of Debian, which need not be the first one.
outside_pandas()
{
    /usr/bin/python3 -c 'import pandas' 2>said && return 0
    why="no pandas"
    [ "$(id -u)" -eq 0 ] && command -v apt-get >said || return 1
    { get python3-pandas || { apt-get update -q && get python3-pandas; }; } >apt.log 2>&1
    /usr/bin/python3 -c 'import pandas' 2>said
}

# traces, and what their tables are by JSON
"$gen" --steps 3 --layers 2 --ranks 2 --base absent --output . && "$python" "$check" rename rank0.json hostile.json || exit 99
cp "$root"/contrib/sample/rank*.json.gz .
breakdown='--by kernel --by operator,shape --by idle --by time --by gap'
fields=rank,source,record,phase,activity,kind,class,ts,dur,end,name,cat,step,operator,annotation,host,process,thread,device,stream
fields=$fields,correlation,api,launch_record,launch_ts,launch_dur,queue_wait,n_device,bytes

# tables FOLDER TRACE...: a database, a folder of CSV and a workbook, and the same as JSON
tables()
{
    cd "$tmp" && mkdir -p "$1" || exit 99
    folder=$1
    shift
    for to in "sqlite -o $folder/x.db" "csv -o $folder/csv/"; do
        # shellcheck disable=SC2086 # several options
        tr-breakdown -q $breakdown -O $to "$@" && tr-launch -q --by launch -O $to "$@" &&
            tr-comm -q --by collective -O $to "$@" && tr-view -q --columns $fields -O $to "$@"
    done
    # shellcheck disable=SC2086
    tr-breakdown -q $breakdown --unit ns -O xlsx -o "$folder/x.xlsx" "$@" &&
        tr-breakdown -q $breakdown --unit ns -O json "$@" >"$folder/x.json" &&
        printf '{"launch": %s, "collective": %s, "events": %s}\n' "$(tr-launch -q --by launch --unit ns -O json "$@")" \
            "$(tr-comm -q --by collective --unit ns -O json "$@")" \
            "$(tr-view -q --columns $fields --unit ns -O json "$@")" >"$folder/more.json" &&
        "$python" "$check" join "$folder/x.json" "$folder/more.json" "$folder/all.json"
}

cp "$root/tests/fuzz/corpus/xplane/gpus" gpus.xplane.pb
sets='sample hostile rocprof xplane graph'
{
    tables sample rank0.json.gz rank1.json.gz && tables hostile hostile.json rank1.json &&
        tables rocprof "$root/tests/golden/vendors/rocprof.json" && tables xplane gpus.xplane.pb &&
        tables graph "$root/tests/golden/vendors/graph.json"
} >wrong 2>&1
for trace in h100_bert mi300_ddp_resnet mtia_inference; do
    [ -f "${TR_CORPUS:-/dev/null}/$trace.json.gz" ] || continue
    tables $trace "$TR_CORPUS/$trace.json.gz" >>wrong 2>&1
    sets="$sets $trace"
done
none wrong "tables are written"

# each FOLDER-COMMAND WHAT: for all traces
each()
{
    for folder in $sets; do
        $1 $folder 2>&1 | sed "s/^/$folder: /"
    done >wrong
    grep -h '^[a-z0-9_]*: [0-9]* cells' wrong | sed 's/^/# /'
    sed -i '/^[a-z0-9_]*: [0-9]* cells$/d' wrong
    none wrong "$2"
}

of_sqlite() { "$python" "$check" sqlite "$1/all.json" "$1/x.db"; }
of_pandas() { /usr/bin/python3 "$check" pandas "$1/all.json" "$1/x.db" "$1/csv"; }
of_duckdb()
{
    mkdir "$1/parquet" "$1/back"
    node node/tables_duckdb.js "$1/csv" "$1/parquet" "$1/back" && "$python" "$check" csv "$1/all.json" "$1/back"
}
of_calc()
{
    # every sheet, as UTF-8; numbers as they are stored, not as they are shown
    timeout 300 soffice "-env:UserInstallation=file://$tmp/soffice" --headless --convert-to \
        'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1' --outdir "$1/calc" "$1/x.xlsx" >"$tmp/calc.log" 2>&1
    "$python" "$check" calc "$1/x.json" "$1/calc"
}

if outside sqlite3; then
    each of_sqlite "sqlite3 reads each cell"
else
    skip "sqlite3 reads each cell" "$why"
fi
if [ -x /usr/bin/python3 ] && outside_pandas; then
    each of_pandas "pandas reads each cell, and ns as whole numbers"
else
    skip "pandas reads each cell, and ns as whole numbers" "$why"
fi
if outside node nodejs && outside npm; then
    mkdir node && cp "$here/tables_duckdb.js" "$here/duckdb" node/
    (cd node && timeout 300 npm install --no-audit --no-fund @duckdb/node-api >"$tmp/npm.log" 2>&1) ||
        why="no @duckdb/node-api to be had from npm"
fi
if [ -d node/node_modules/@duckdb ]; then
    each of_duckdb "DuckDB makes Parquet of CSV, and CSV of that, and all numbers are there"
else
    skip "DuckDB makes Parquet of CSV, and CSV of that, and all numbers are there" "$why"
fi
if outside soffice libreoffice-calc; then
    each of_calc "LibreOffice reads each cell of the workbook"
else
    skip "LibreOffice reads each cell of the workbook" "$why"
fi
outside Rscript r-base-core || echo "# $why"

# the sessions of the page, with those programs that are here
PATH=$tmp/node:/usr/bin:$PATH TR_BIN=$bin sh "$root/tests/harness/run-examples" "$root/man/tr-tables.7" >said 2>&1
grep -q '^ok' said
ok $? "the page has sessions"
grep -e '^not ok' -e '^#' said >wrong
none wrong "sessions of tr-tables(7)"
grep SKIP said | sed 's/^/# /'
finish
