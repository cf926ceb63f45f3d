# SPDX-License-Identifier: MIT
# Names of TraceLens for ours: categories of operators in the column CLASS (its name; none: class is not renamed).
# Reads a table with a header line.
BEGIN {
    FS = OFS = "\t"
}
NR == 1 {
    for (i = 1; i <= NF; i++) {
        if ($i == CLASS)
            column = i
        if ($i == "name")
            name = i
    }
}
NR > 1 && column { $column = theirs($column, $name) }
{ print }
