# SPDX-License-Identifier: MIT
# A table of tr-breakdown --by operator,args,category,... as TraceLens has it: categories and threads as it calls them,
# calls that launched work, and shares of their work.  Collectives are left out.  Work of no
# operator bears the name of its call, from tables of tr-sum after the first one: --by operator,api with statistics, and
# --by name with how often graphs were launched.  GROUP: rows are added up by these columns (names with commas between).
BEGIN {
    FS = OFS = "\t"
    n_group = split(GROUP, group, ",")
}
NR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    head = $0
    n_columns = NF
    next
}
$1 == "operator" || $1 == "name" {
    part++
    next
}
part == 1 && $1 == "" { # operator, api, count, sum, mean, std, min, max, median
    api[++n_api] = $0
    next
}
part == 2 { graphs[$1] = $2 }
part { next }
$column["launchers"] == "" || $column["name"] == "(none)" || $column["category"] == "record_param_comms" { next }
{
    $column["category"] = theirs($column["category"], $column["name"])
    if ("thread" in column && $column["thread"] ~ /^[0-9]*$/)
        $column["thread"] = "Unknown"
    if ("recompute" in column)
        $column["recompute"] = $column["recompute"] == "yes" ? "true" : "false"
    if ("module" in column)
        $column["module"] = $column["module"] == "" ? "NA" : "nn.Module: " $column["module"]
    whole += $column["device_self_busy_us"]
    if (n_group) {
        key = ""
        for (i = 1; i <= n_group; i++)
            key = key $column[group[i]] OFS
        if (!(key in calls))
            keys[++n] = key
        calls[key] += $column["launchers"]
        own[key] += $column["device_self_busy_us"]
        all[key] += $column["sum_us"]
        categories[key] = $column["category"]
    } else {
        line[++n] = $0
        own[n] = $column["device_self_busy_us"]
    }
}
# A row of calls of the device's API that no operator made.
function add_call(text,    f, i, k, value, names)
{
    split(text, f, FS)
    if (f[2] in graphs) {
        f[3] = graphs[f[2]]
        if (f[3] == 1) {
            f[5] = f[7] = f[8] = f[9] = f[4]
            f[6] = ""
        }
    }
    whole += f[4]
    if (n_group) {
        k = ""
        for (i = 1; i <= n_group; i++)
            k = k (group[i] == "name" ? f[2] : group[i] == "category" ? "other" : group[i] == "module" ? "NA" : "false") OFS
        if (!(k in calls))
            keys[++n] = k
        calls[k] += f[3]
        own[k] += f[4]
        all[k] += f[4]
        categories[k] = "other"
        return
    }
    split("self_mean_us 5 self_p50_us 9 self_std_us 6 self_min_us 7 self_max_us 8 mean_us 5 p50_us 9 std_us 6 min_us 7 " \
          "max_us 8 sum_us 4 device_self_busy_us 4 launchers 3 name 2", names, " ")
    for (i = 1; i in names; i += 2)
        value[column[names[i]]] = f[names[i + 1]]
    value[column["category"]] = "other"
    value[column["thread"]] = "Unknown"
    if ("recompute" in column)
        value[column["recompute"]] = "false"
    if ("module" in column)
        value[column["module"]] = "NA"
    n++
    line[n] = ""
    for (i = 1; i <= n_columns; i++)
        line[n] = line[n] (i > 1 ? OFS : "") value[i]
    own[n] = f[4]
}
# Places by falling time, for the running sums.
function order(    i, j, k)
{
    for (i = 1; i <= n; i++) {
        k = n_group ? keys[i] : i
        for (j = i - 1; j >= 1 && own[place[j]] < own[k]; j--)
            place[j + 1] = place[j]
        place[j + 1] = k
    }
}
END {
    for (i = 1; i <= n_api; i++)
        add_call(api[i])
    order()
    if (n_group) {
        gsub(/,/, OFS, GROUP)
        print GROUP, "launchers", "direct_us", "subtree_us", "of_category", "share", "running"
    } else {
        print head, "share", "running"
    }
    for (i = 1; i <= n; i++) {
        k = place[i]
        sum += own[k]
        if (n_group)
            printf "%s%d%s%.6f%s%.6f%s%s", k, calls[k], OFS, own[k], OFS, all[k], OFS, categories[k]
        else
            printf "%s", line[k]
        printf "%s%.12g%s%.12g\n", OFS, whole ? 100 * own[k] / whole : 0, OFS, whole ? 100 * sum / whole : 0
    }
}
