# Truth: by hand.  4,096 ranks have no pixel each: 6 in a column of the 752, 12 in a row of the 347, each shows its
# largest.  Rank 4000 is in column 666 or row 333 and has the last level; all others have level 1.  A row
# of a text has its name alone.
ranks() { awk -v p="$1" 'BEGIN { print "rank\tpart\tspent_us"; for (r = 0; r < 4096; r++) printf "%d\t%s\t%d\n", r, p, r == 4000 ? 900 : 90 }'; }
marks() {
    grep -v 'y="69" width="12"' >marks # not the legend
    grep -o -E '>[^<]*largest[^<]*<|>compute<|<rect .* class="h9"' marks
    for level in 1 2 3 4 5 6 7 8 9; do echo "h$level $(grep -c "class=\"h$level\"" marks)"; done | grep -v ' 0$'
}
ranks compute | tr-plot --kind heat -x rank -y part,spent | marks
ranks 7 | tr-plot --kind heat -x part -y rank,spent | marks
