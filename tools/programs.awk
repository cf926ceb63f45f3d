# SPDX-License-Identifier: MIT
# tools.list as C: the table of programs.h.
BEGIN {
    FS = "\t"
    print "/* Made from tools.list. */\n#include \"programs.h\"\n"
}
!/^#/ && NF {
    main = $1 "_main"
    gsub(/-/, "_", main)
    print "int " main "(int argc, char **argv);"
    rows = rows "    { \"" $1 "\", \"" $5 "\", " main " },\n"
}
END { printf "\nconst struct program programs[] = {\n%s    { .name = 0 },\n};\n", rows }
