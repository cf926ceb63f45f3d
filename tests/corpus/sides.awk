# SPDX-License-Identifier: MIT
# A table of tr-diff --by table with the sides that TraceLens calls a and b.  BLANK: rows of one side have no figures.
BEGIN {
    FS = OFS = "\t"
}
NR == 1 {
    while ($at != "run")
        at++
    print
    next
}
{
    $at = $at == "base" ? "a" : $at == "test" ? "b" : $at
    for (i = at + 1; BLANK && $at != "both" && i <= NF; i++)
        $i = ""
    print
}
