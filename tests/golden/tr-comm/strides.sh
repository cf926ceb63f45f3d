# Truth: by hand.  Groups that are told by their first rank and their stride alone: four ranks in rows (0 1, 2 3) and
# in columns (0 2, 1 3).  Each collective has two members; without the numbers all of a rank would be in one group.
. "$GOLDEN/jobs"
of() { printf '"Collective name": "allreduce", "In msg nelems": 8, "Out msg nelems": 8, "dtype": "Float", "Group size": 2, "Global rank start": %s, "Global rank stride": %s' "$1" "$2"; }
for r in 0 1 2 3; do
    begin $r
    kernel $((100 + r)) 10 1 nccl "$(of $((r / 2 * 2)) 1)"
    kernel $((200 + 10 * r)) 50 1 nccl "$(of $((r % 2)) 2)"
    end
done
tr-comm -O tsv rank*.json
tr-comm --by group -O tsv rank*.json
