# SPDX-License-Identifier: MIT
# The functions that tracepipe.h declares: as a version script of the linker, or one in a line.
#
#     awk -v as=libtrcore.map -f exports.awk tracepipe.h
BEGIN {
    script = as ~ /\.map$/
    if (script)
        print "LIBTRCORE_0 {\nglobal:"
}
{ sub(/\/\*.*\*\//, "") }
/^(\/\*| \*|#)/ { next }
# a declaration begins in the first column; what it is called stands before the first parenthesis
/^[a-z].*[ *]tr_[a-z0-9_]+\(/ && !/^(struct|enum|union) [a-z_]+ *\{/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    print script ? "    " name ";" : name
}
END {
    if (script)
        print "local:\n    *;\n};"
}
