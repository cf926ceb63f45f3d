#!/bin/sh
# SPDX-License-Identifier: MIT
# Print the C source that holds a file of names as tables, so that nothing has to be read when a program starts.
set -e
awk '
function fail(why) {
    print FILENAME ": line " FNR ": " why >"/dev/stderr"
    failed = 1
    exit 1
}
BEGIN {
    n_kinds = split("categories roles waits copies", kinds, " ")
    prefix["categories"] = "TR_ACT_"; prefix["roles"] = "TR_NAMED_"; prefix["waits"] = "TR_WAIT_"
    prefix["copies"] = "TR_COPY_"
    of["role"] = "roles"; of["wait"] = "waits"; of["copy"] = "copies"
}
/^#/ || /^[ \t]*$/ { next }
/^\[.* if .*\]$/ {
    title = substr($0, 2, length($0) - 2)
    at = index(title, " if ")
    means = substr(title, 1, at - 1)
    split(means, word, " ")
    kind = word[1] in of ? of[word[1]] : "categories"
    means = prefix[kind] toupper(word[1] in of ? word[2] : word[1])
    title = substr(title, at + 4)
    if (title !~ (kind == "categories" ? "^category " : "^name "))
        fail("not [ACTIVITY if category ...] or [role ROLE if name ...]")
    sub(/^[a-z]+ /, "", title)
    verb = title == "equals to" ? "TR_NAME_IS" : title == "starts with" ? "TR_NAME_STARTS" : "TR_NAME_CONTAINS"
    if (verb == "TR_NAME_CONTAINS" && title != "contains")
        fail("\"" title "\": equals to, starts with or contains is expected")
    next
}
!kind { fail("a name before the first section") }
{
    text = $0
    if (text ~ /^".*"$/)
        text = substr(text, 2, length(text) - 2)
    len = length(text)
    gsub(/[\\"]/, "\\\\&", text)
    rows[kind] = rows[kind] "    { " verb ", " means ", \"" text "\", " len " },\n"
    count[kind]++
}
END {
    if (failed)
        exit 1
    print "/* Made by rules/names.sh from names.rules. */"
    print "#include \"stream/tr_event.h\"\n#include \"vendor/tr_names.h\"\n#include \"vendor/tr_roles.h\"\n"
    for (k = 1; k <= n_kinds; k++) {
        printf "static const struct tr_name_rule %s[] = {\n%s};\n", kinds[k], rows[kinds[k]]
        printf "const struct tr_name_list tr_names_%s = { %s, %d };\n\n", kinds[k], kinds[k], count[kinds[k]]
    }
}' "$1"
