# SPDX-License-Identifier: MIT
# rows-to-trace.awk: rows of a table with times as spans or counters of a trace, for a viewer.
#
#     tr-parse -o job.trs rank*.json.gz
#     base=$(tr-info -O json job.trs | sed -n 's/.*"base_ns": *\([0-9]*\).*/\1/p' | head -n 1)
#     tr-comm --by member -O tsv job.trs | awk -v base="$base" -f rows-to-trace.awk >rows.json
#     tr-merge job.trs rows.json | tr-view -O chrome -o job.json
#
# Of the header, these columns count; -v start=, -v dur=, -v end=, -v name=, -v track= and -v value= name others:
#
#   start   start_us, start_ns, ts_us or ts_ns
#   dur     dur_us or dur_ns; -v end=COLUMN: the span ends then; without both it has no length
#   name    name
#   track   rank: each value has a process of its own, that of rank, src and dst is of this rank
#   value   none; -v value=COLUMN: a counter, from the start of the row to its end, and 0 after it
#
# All other columns are args of the span.  Times count from the time base: that of the trace is -v base=NS, as tr-info
# says it.  Spans of a track may overlap; tr-view --overlap lane shows them one below the other.

BEGIN {
    FS = "\t"
}
NR == 1 {
    for (i = 1; i <= NF; i++) {
        title[i] = $i
        at[$i] = i
    }
    start = column(start, "start_us start_ns ts_us ts_ns")
    end = column(end, "")
    dur = end ? 0 : column(dur, "dur_us dur_ns")
    name = column(name, "name")
    track = column(track, "rank")
    value = column(value, "")
    ranks = track && title[track] ~ /^(rank|src|dst)$/
    if (failed)
        exit failed
    if (!start) {
        print "rows-to-trace.awk: no column start_us, start_ns, ts_us or ts_ns: name one with -v start=" >"/dev/stderr"
        exit failed = 2
    }
    printf "{%s\"traceEvents\": [", (base != "" ? "\"baseTimeNanoseconds\": " base ", " : "")
    next
}
$start != "" && !(value && $value == "") {
    from = ns(start)
    length_ns = end ? ns(end) - from : dur ? ns(dur) : 0
    row = track ? $track : 0
    label = name ? $name : value ? title[value] : FILENAME
    if (!(row in pid)) {
        first = n_tracks ? first : row
        pid[row] = 1000000 + n_tracks++
        event("\"ph\": \"M\", \"name\": \"process_name\", \"pid\": " pid[row] ", \"args\": {\"name\": " \
            text((ranks ? "rank " : "") (track ? row : "rows")) "}")
    }
    place = ", \"pid\": " pid[row] ", \"tid\": 1, \"ts\": "
    if (value) {
        event("\"ph\": \"C\", \"name\": " text(label) place us(from) ", \"args\": {" text(title[value]) ": " number($value) "}")
        if (length_ns > 0)
            event("\"ph\": \"C\", \"name\": " text(label) place us(from + length_ns) ", \"args\": {" text(title[value]) ": 0}")
        next
    }
    list = ""
    for (i = 1; i <= NF; i++)
        if (i != start && i != end && i != dur && i != name && $i != "")
            list = list (list == "" ? "" : ", ") text(title[i]) ": " number($i)
    event("\"ph\": \"X\", \"cat\": \"row\", \"name\": " text(label) place us(from) ", \"dur\": " us(length_ns) ", \"args\": {" list "}")
}
function column(asked, usual, i, n, names)
{
    if (asked != "" && !(asked in at)) {
        print "rows-to-trace.awk: there is no column " asked >"/dev/stderr"
        failed = 2
    }
    if (asked != "")
        return at[asked]
    n = split(usual, names, " ")
    for (i = 1; i <= n; i++)
        if (names[i] in at)
            return at[names[i]]
    return 0
}
# A time in ns.  Digits are moved, because a product would round.
function ns(i, part)
{
    if (title[i] !~ /_us$/)
        return $i + 0
    split($i, part, ".")
    return (part[1] substr(part[2] "000", 1, 3)) + 0
}
function us(t)
{
    return sprintf("%s%.0f.%03d", (t < 0 ? "-" : ""), int((t < 0 ? -t : t) / 1000), (t < 0 ? -t : t) % 1000)
}
function text(s)
{
    gsub(/[\\"]/, "\\\\&", s)
    gsub(/[\001-\037]/, " ", s)
    return "\"" s "\""
}
function number(s)
{
    return s ~ /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/ ? s : text(s)
}
function event(members)
{
    printf "%s\n{%s}", (n_events++ ? "," : ""), members
}
END {
    if (!failed)
        print "\n]" (n_tracks == 1 && ranks ? ", \"distributedInfo\": {\"rank\": " first "}" : "") "}"
    exit failed
}
