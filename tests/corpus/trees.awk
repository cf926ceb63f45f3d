# SPDX-License-Identifier: MIT
# Tables of tr-diff --by tree as TraceLens has them.  VIEW: kernel (a row for each piece of device work), summary (equal
# rows added up), operators (the kernels of each operator), pairs, nodes (the merged tree).
BEGIN {
    FS = OFS = "\t"
    OFMT = CONVFMT = "%.17g"
    side["base"] = "a"
    side["test"] = "b"
    side["both"] = "both"
    args = "input_dims" OFS "input_types" OFS "input_strides" OFS "concrete_inputs"
    if (VIEW == "kernel")
        print "side", "gpu_uid", "kernel", "name", "cpu_uid", args, "kernel_us", "busy_us", "lca_name", "lca_id", \
            "nn_module_stack", "nn_module"
    else if (VIEW == "summary")
        print "side", "kernel", "name", "cpu_uid", "lca_name", "busy_us", args, "nn_module_stack", "nn_module", "count", \
            "kernel_us_mean", "kernel_us_sum"
    else if (VIEW == "operators")
        print "name", "side", "kernels", "nn_modules"
    else if (VIEW == "pairs")
        print "side", "name_a", "name_b", "count"
    else
        print "row", "depth", "side", "name_a", "name_b"
}
function quoted(text)
{
    gsub(/["\\]/, "\\\\&", text)
    return "\"" text "\""
}
NR == 1 {
    for (i = 1; i <= NF; i++)
        at[$i] = i
    next
}
VIEW == "pairs" { print side[$at["run"]], $at["base_name"], $at["test_name"], $at["count"]; next }
VIEW == "nodes" { print $at["node"], $at["depth"] + 1, side[$at["run"]], $at["base_name"], $at["test_name"]; next }
$at["operator"] == "" { next }
VIEW == "operators" {
    key = $at["operator"] OFS side[$at["run"]]
    if (!((key, $at["name"]) in seen)) {
        seen[key, $at["name"]]
        names[key, ++n_names[key]] = $at["name"]
    }
    next
}
{
    values = $at["shapes"] OFS $at["dtypes"] OFS $at["strides"] OFS $at["args"]
    who = side[$at["run"]]
}
VIEW == "kernel" {
    print who, $at["record"], $at["name"], $at["operator"], $at["operator_record"], values, $at["dur_us"], \
        $at["point_busy_us"], $at["place"], $at["point"], "root", "root"
    next
}
{
    key = who OFS $at["name"] OFS $at["operator"] OFS $at["operator_record"] OFS $at["place"] OFS $at["point_busy_us"] OFS \
        values OFS "root" OFS "root"
    if (!(key in count))
        order[++n] = key
    count[key]++
    sum[key] += $at["dur_us"]
}
END {
    for (i = 1; i <= n; i++)
        print order[i], count[order[i]], sum[order[i]] / count[order[i]], sum[order[i]]
    for (key in n_names) {
        list = ""
        for (i = 2; i <= n_names[key]; i++) {
            name = names[key, i]
            for (k = i - 1; k && names[key, k] > name; k--)
                names[key, k + 1] = names[key, k]
            names[key, k + 1] = name
        }
        for (i = 1; i <= n_names[key]; i++)
            list = list (i > 1 ? "," : "") quoted(names[key, i])
        print key, "[" list "]", "[\"root\"]"
    }
}
