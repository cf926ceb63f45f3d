# SPDX-License-Identifier: MIT
# A table of tr-roofline as TraceLens has it: figures of one call instead of all, names of categories, threads without
# a name, and a column for each parameter in PARAMS (names with commas between).  FAMILY: only rows of this family;
# SKIP: none with such a name.  Work of no operator, and that of collectives, is left out.
function member(text, name,    i, n, depth, quoted, from, c)
{
    i = index(text, "\"" name "\":")
    if (!i)
        return ""
    from = i + length(name) + 3
    n = length(text)
    for (i = from; i <= n; i++) {
        c = substr(text, i, 1)
        if (c == "\"")
            quoted = !quoted
        else if (!quoted && c ~ /[\[{]/)
            depth++
        else if (!quoted && depth && c ~ /[\]}]/)
            depth--
        else if (!quoted && !depth && c ~ /[,}]/)
            break
    }
    c = substr(text, from, i - from)
    if (c == "null")
        return ""
    gsub(/^"|"$/, "", c)
    return c
}
function cell(name)
{
    return $(column[name])
}
function ratio(a, b)
{
    return b == "" || b == 0 || a == "" ? "" : sprintf("%.17g", a / b)
}
BEGIN {
    FS = OFS = "\t"
    n_params = split(PARAMS, params, ",")
    n_model = split("flop bytes spec bound tflops tb_s tflops_mean tb_s_mean roofline_us roofline_pct roofline_mean_pct",
                    of_model, " ")
}
NR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    line = $0
    for (i = 1; i <= n_params; i++)
        line = line OFS "p_" params[i]
    print line, "flops", "call_bytes", "per_byte", "has_model", "their_bound"
    next
}
cell("name") == "(none)" || cell("category") == "record_param_comms" { next }
SKIP != "" && cell("name") ~ SKIP { next }
FAMILY != "" && !modelled_there(cell("name")) { next }
FAMILY != "" && cell("family") !~ ("^(" FAMILY ")$") { next }
{
    $(column["category"]) = theirs(cell("category"), cell("name"))
    modelled = cell("family") != "" && modelled_there(cell("name"))
    if ("thread" in column && cell("thread") ~ /^[0-9]*$/)
        $(column["thread"]) = "Unknown"
    if ("recompute" in column)
        $(column["recompute"]) = cell("recompute") == "yes" ? "true" : "false"
    for (i = 1; !modelled && i <= n_model; i++)
        if (of_model[i] in column)
            $(column[of_model[i]]) = ""
    known = cell("flop") == "" && cell("bytes") == "" ? "" : cell("calls")
    line = $0
    for (i = 1; i <= n_params; i++)
        line = line OFS member(cell("params"), params[i])
    print line, ratio(cell("flop"), known), ratio(cell("bytes"), known), ratio(cell("flop"), cell("bytes")), (modelled ? "true" : "false"), cell("bound")
}
