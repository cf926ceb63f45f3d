# SPDX-License-Identifier: MIT
# Tables of Nsight Systems' kind from the listing of events that formats.tsv makes (times in ns).
#
#     tr-view ... | awk -v table=kernels|memops|kern_exec|counts|facts|other|metrics -f nsys.awk

function direction(name,    from, to)
{
    if (name !~ /^Memcpy .to./)
        return ""
    from = word[substr(name, 8, 1)]
    to = word[substr(name, 11, 1)]
    return (name ~ /Unified/ ? "Unified " : "") from "-to-" to
}

function dims(text)
{
    gsub(/[][]/, "", text)
    gsub(/,/, "x", text)
    return text
}

function is_graph(i)
{
    return v[i, "activity"] == "kernel" && v[i, "name"] ~ /^CUDA Graph/
}

function is_work(i)
{
    return v[i, "activity"] ~ /^(kernel|memcpy|memset)$/ && !is_graph(i)
}

# A row of what is counted; end: nothing if it has none.
function add(what, i, end)
{
    count[what]++
    if (!(what in first) || v[i, "ts_ns"] < first[what])
        first[what] = v[i, "ts_ns"]
    if (end != "" && (!(what in last) || end > last[what]))
        last[what] = end
    sum[what] += v[i, "dur_ns"]
}

function call_of(i)
{
    return v[i, "launch_ts_ns"] == "" ? "" : "x" v[i, "launch_record"]
}

# What the columns of a call are, of work: api, start, dur, tid, queue.
function columns_of_call(i,    wait)
{
    wait = v[i, "queue_wait_ns"] > 0 ? v[i, "queue_wait_ns"] : ""
    return v[i, "api"] OFS v[i, "launch_ts_ns"] OFS v[i, "launch_dur_ns"] OFS tid[call_of(i)] OFS wait
}

function list(i)
{
    return v[i, "ts_ns"] OFS v[i, "dur_ns"] OFS v[i, "pid"] OFS v[i, "device"] OFS v[i, "context"] OFS v[i, "stream"] OFS \
        v[i, "correlation"]
}

function kernels(    i)
{
    print "start", "dur", "pid", "device", "context", "stream", "correlation", "grid", "block", "short_name", "api_name",
        "api_start", "api_dur", "api_tid", "queue_ns"
    for (i = 1; i <= n; i++)
        if (is_work(i) && v[i, "activity"] == "kernel")
            print list(i), dims(v[i, "grid"]), dims(v[i, "block"]), v[i, "args.short_name"], columns_of_call(i)
}

function memops(    i)
{
    print "start", "dur", "pid", "device", "context", "stream", "correlation", "op", "direction", "bytes", "api_name",
        "api_start", "api_dur", "api_tid", "queue_ns"
    for (i = 1; i <= n; i++)
        if (is_work(i) && v[i, "activity"] != "kernel")
            print list(i), v[i, "activity"], direction(v[i, "name"]), v[i, "bytes"], columns_of_call(i)
}

function kern_exec(    i, k, end, done)
{
    print "pid", "tid", "device", "api_name", "kernel_short_name", "count", "queued", "total_ns", "api_ns", "queue_ns", "kernel_ns"
    for (i = 1; i <= n; i++) {
        if (!is_work(i) || v[i, "activity"] != "kernel" || call_of(i) == "")
            continue
        k = v[i, "pid"] OFS tid[call_of(i)] OFS v[i, "device"] OFS v[i, "api"] OFS v[i, "args.short_name"]
        end = v[i, "end_ns"] - v[i, "launch_ts_ns"]
        if (end < v[i, "launch_dur_ns"])
            end = v[i, "launch_dur_ns"]
        count[k]++
        total[k] += end
        api[k] += v[i, "launch_dur_ns"]
        kernel[k] += v[i, "dur_ns"]
        queued[k] += v[i, "queue_wait_ns"] > 0
        queue[k] += v[i, "queue_wait_ns"] > 0 ? v[i, "queue_wait_ns"] : 0
    }
    for (k in count)
        printf "%s\t%d\t%d\t%.0f\t%.0f\t%.0f\t%.0f\n", k, count[k], queued[k], total[k], api[k], queue[k], kernel[k]
}

function counts(    i, a, k, names)
{
    for (i = 1; i <= n; i++) {
        a = v[i, "activity"]
        if (is_graph(i))
            add("graph", i, v[i, "end_ns"])
        else if (a ~ /^(runtime_api|driver_api|kernel|memcpy|memset|sync|overhead)$/)
            add(a, i, v[i, "end_ns"])
        else if (a == "os_api")
            add(v[i, "phase"] == "span" ? "os_api" : "os_api_open", i, v[i, "phase"] == "span" ? v[i, "end_ns"] : v[i, "ts_ns"])
        else if (a ~ /^(annotation|cpu_op)$/ && v[i, "phase"] == "instant")
            add("nvtx_mark", i, "")
        else if (a ~ /^(annotation|cpu_op)$/ && v[i, "dur_ns"] != "")
            add("nvtx_range", i, v[i, "end_ns"])
    }
    print "what", "count", "first_start", "last_end", "sum_dur"
    split("runtime_api driver_api kernel memcpy memset graph sync nvtx_range nvtx_mark os_api os_api_open overhead", names, " ")
    for (i = 1; i in names; i++) {
        k = names[i]
        printf "%s\t%d\t%s\t%s\t%.0f\n", k, count[k], first[k], last[k], sum[k]
    }
}

function facts(    i, k, pids)
{
    for (i = 1; i <= n; i++) {
        if (!is_work(i))
            continue
        k = v[i, "activity"] == "kernel" ? "kernels" : "memops"
        count[k (call_of(i) == "" ? "_unlinked" : "_linked")]++
        count["negative"] += v[i, "dur_ns"] < 0
        if (!(v[i, "pid"] in pids))
            count["processes"]++
        pids[v[i, "pid"]]
    }
    print "kernels_linked", count["kernels_linked"] + 0
    print "kernels_unlinked", count["kernels_unlinked"] + 0
    print "memops_linked", count["memops_linked"] + 0
    print "memops_unlinked", count["memops_unlinked"] + 0
    print "kernel_negative_dur", count["negative"] + 0
    print "processes_with_device_work", count["processes"] + 0
}

function other(    i)
{
    print "event_type", "domain", "start", "pid", "tid", "text"
    for (i = 1; i <= n; i++)
        if (v[i, "activity"] == "annotation" && (v[i, "phase"] == "instant" || v[i, "dur_ns"] == ""))
            print (v[i, "phase"] == "instant" ? 34 : 59), v[i, "args.domain_id"] + 0, v[i, "ts_ns"], v[i, "pid"], v[i, "tid"],
                v[i, "name"]
}

function metrics(    i, k, value)
{
    for (i = 1; i <= n; i++) {
        if (v[i, "phase"] != "counter")
            continue
        k = v[i, "pid"] OFS v[i, "name"]
        value = v[i, "args.value"] + 0
        if (!(k in count)) {
            first[k] = v[i, "ts_ns"]
            low[k] = high[k] = value
        }
        count[k]++
        last[k] = v[i, "ts_ns"]
        sum[k] += value
        low[k] = value < low[k] ? value : low[k]
        high[k] = value > high[k] ? value : high[k]
    }
    print "gpu", "name", "samples", "first", "last", "sum", "min", "max"
    for (k in count)
        print k, count[k], first[k], last[k], sum[k], low[k], high[k] | "sort"
}

BEGIN {
    FS = OFS = "\t"
    word["H"] = "Host"
    word["D"] = "Device"
    word["A"] = "Array"
    word["P"] = "Peer"
}
NR == 1 {
    for (i = 1; i <= NF; i++)
        head[i] = $i
    next
}
{
    n++
    for (i = 1; i <= NF; i++)
        v[n, head[i]] = $i
    tid["x" v[n, "record"]] = v[n, "tid"]
}
END {
    if (table == "kernels") kernels()
    else if (table == "memops") memops()
    else if (table == "kern_exec") kern_exec()
    else if (table == "counts") counts()
    else if (table == "facts") facts()
    else if (table == "other") other()
    else metrics()
}
