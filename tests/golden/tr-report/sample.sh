# Truth: oracle/report.py finds each figure in the output of the command above it; which sections there are, their rows and
# what is advised, by hand: both ranks have steps, device work, collectives and allocations; idle time is data loading,
# 12 to 18 percent of the time is exposed communication, rank 1 comes last to all collectives, step 20 is the slowest.
cd "$SAMPLE" || exit 1
tr-report rank0.json.gz
echo
tr-report --unit ms rank0.json.gz rank1.json.gz
echo
tr-report --per rank --sections breakdown,idle,memory,launches rank0.json.gz rank1.json.gz
echo
tr-report --sections headline --base rank0.json.gz -- rank1.json.gz
