# SPDX-License-Identifier: MIT
# Kernels of operators as TraceLens has them, from tr-breakdown --by operator,args,thread,position,..., and after it
# tr-sum --by operator,api,launch_ts,ts,name,stream --stat count,sum, whose rows without an operator bear the name of
# their call.  Rows come by rising sums.  SHORT: only short kernels, whatever their place and stream; after these two
# tables, tr-breakdown --by timeline says which time the shares are of.
BEGIN { FS = OFS = "\t" }
NR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    head = "name" OFS "shapes" OFS "dtypes" OFS "strides" OFS "args" OFS "thread" OFS "recompute" OFS "module"
    next
}
$1 == "operator" { part = 1; next }
$1 == "rank" { part = 2; next }
part == 2 && $2 == "total" { total = $3 }
part == 2 { next }
function cell(name)
{
    return name in column ? $(column[name]) : ""
}
function add(key, kernel, stream, position, count, sum, mean, p50, std, min, max)
{
    if (SHORT) {
        key = key OFS kernel
        if (!(key in counts))
            keys[++n_keys] = key
        counts[key] += count
        sums[key] += sum
        return
    }
    most[key] = position > most[key] ? position : most[key]
    line[++n] = kernel OFS stream OFS count OFS sum OFS mean OFS p50 OFS sprintf("%.6f", count > 1 ? std * sqrt((count - 1) / count) : 0) OFS min OFS max
    key_of[n] = key
    sum_of[n] = sum
}
part == 1 { # operator, api, time of the launch and of the kernel, name, stream, count, sum
    if ($1 == "" && $2 != "")
        add($2 OFS OFS OFS OFS OFS "Unknown" OFS "false" OFS "NA", $5, $6, ++place[$2, $3], $7, $8, $8, $8, 0, $8, $8)
    next
}
SHORT && cell("name") == "(none)" {
    if (!operators)
        add(OFS OFS OFS, cell("kernel"), "", 0, cell("count"), cell("sum_us"))
    next
}
SHORT {
    operators = 1
    if (cell("shapes") != "")
        add(cell("name") OFS cell("shapes") OFS cell("strides") OFS cell("args"), cell("kernel"), "", 0, cell("count"), cell("sum_us"))
    next
}
cell("name") == "(none)" || cell("name") == "record_param_comms" { next }
{
    thread = cell("thread") ~ /^[0-9]*$/ ? "Unknown" : cell("thread")
    module = cell("module") == "" ? "NA" : "nn.Module: " cell("module")
    add(cell("name") OFS cell("shapes") OFS cell("dtypes") OFS cell("strides") OFS cell("args") OFS thread OFS (cell("recompute") == "yes" ? "true" : "false") OFS module, \
        cell("kernel"), cell("stream"), cell("position"), cell("count"), cell("sum_us"), cell("mean_us"), cell("p50_us"), cell("std_us"), cell("min_us"), cell("max_us"))
}
END {
    if (SHORT) {
        print "name", "shapes", "strides", "args", "kernel", "count", "sum_us", "mean_us", "pct"
        for (i = 1; i <= n_keys; i++) {
            key = keys[i]
            print key, counts[key], sums[key], sprintf("%.9g", sums[key] / counts[key]), sprintf("%.12g", total ? 100 * sums[key] / total : 0)
        }
        exit
    }
    print head, "num_kernels", "kernel", "stream", "count", "sum_us", "mean_us", "p50_us", "pstd_us", "min_us", "max_us"
    sorted = "sort -t '\t' -k13,13n"
    for (i = 1; i <= n; i++)
        print key_of[i], most[key_of[i]], line[i] | sorted
    close(sorted)
}
