# SPDX-License-Identifier: MIT
# Call stacks as TraceLens has them, from tr-breakdown --by operator,args,stack,thread: of the first call of each set of
# arguments, the frames around it as a JSON array with the names of its work, and the line of Python that it is from.
BEGIN {
    FS = OFS = "\t"
    n_files = split("torch/_ops.py torch/nn/modules/module.py torch/utils/_contextlib.py torch/utils/_device.py " \
                    "torch/_tensor.py torch/functional.py torch/overrides.py torch/_inductor/ torch/_functorch/ " \
                    "torch/distributed/c10d_logger.py triton/backends/", files, " ")
    split("__torch_function__ _call_impl _wrapped_call_impl decorate_context dispatch_wrapper handle_torch_function " \
          "wrapper custom_wrapper wrapper_custom outer_wrapper", list, " ")
    for (i in list)
        functions[list[i]] = 1
}
function text(s)
{
    gsub(/\\/, "\\\\", s)
    gsub(/"/, "\\\"", s)
    return "\"" s "\""
}
function is_wrapper(frame,    i, at)
{
    if (frame ~ /^(<built-in|pybind11_builtins|nn\.Module:)/)
        return 1
    for (i = 1; i <= n_files; i++)
        if (index(frame, files[i]))
            return 1
    at = index(frame, "): ")
    return at && substr(frame, at + 3) in functions
}
NR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    print "name", "shapes", "dtypes", "strides", "args", "thread", "entry_point", "call_stack"
    next
}
$column["launchers"] == "" || $column["name"] == "(none)" || $column["name"] == "record_param_comms" { next }
{
    thread = $column["thread"] ~ /^[0-9]*$/ ? "Unknown" : $column["thread"]
    key = $column["name"] OFS $column["shapes"] OFS $column["dtypes"] OFS $column["strides"] OFS $column["args"] OFS thread
    if (key in record && record[key] + 0 <= $column["record"] + 0)
        next
    record[key] = $column["record"]
    n = split($column["stack"] (length($column["stack"]) ? " > " : "") $column["name"], frame, " > ")
    entry = "Not found"
    stack = ""
    for (i = 1; i <= n; i++) {
        f = frame[i]
        gsub(/_[0-9]+/, "", f)
        if (i < n && f !~ /nn\.Module|::|\//)
            continue
        if (i < n && index(f, ".py") && !is_wrapper(f))
            entry = f
        stack = stack (stack == "" ? "" : ",") text(f)
    }
    m = split($column["work"], work, "; ")
    for (i = 1; i <= m; i++)
        if (!((key, record[key], work[i]) in seen)) {
            seen[key, record[key], work[i]] = 1
            stack = stack "," (m > 1 ? "[" text(work[i]) "]" : text(work[i]))
        }
    stacks[key] = entry OFS "[" stack "]"
}
END {
    for (key in stacks)
        print key, stacks[key]
}
