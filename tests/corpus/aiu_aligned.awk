# SPDX-License-Identifier: MIT
# Traces in which work of devices stands where acelyzer puts it when it aligns ranks: at its cycles, one clock for all.
#
#     awk -F"\t" -v freq=MHZ -v folder=F -f aiu_aligned.awk EVENTS ARGS
#
# EVENTS is a table of tr-cycles --by event; ARGS one of tr-view: rank,record,args.CollGroup,args.Peer,args.Type,
# args.Bytes.  A file in F for each rank.
#
# Of each group it takes the last TS5 of rank 0 and the last TS2 of each other rank.  In the first group, those of the
# others are one moment.  In the group where rank 1 comes soonest after rank 0, this moment is also rank 0's TS5, and
# the end of that event on the host's clock of rank 0.

FNR == 1 {
    file++
    next
}
file == 1 {
    n++
    rank[n] = $1; record[n] = $3; name[n] = $4; part[n] = $5
    for (i = 1; i <= 5; i++)
        ts[n, i] = $(10 + i)
    end[n] = $6 + $7
    place[$1, $3] = n
}
file == 2 && ($1, $2) in place && $3 != "" {
    e = place[$1, $2]
    args[e] = sprintf(",\"CollGroup\":\"%s\",\"Peer\":\"%s\",\"Type\":\"%s\"%s", $3, $4, $5, $6 == "" ? "" : ",\"Bytes\":\"" $6 "\"")
    group = $3
    if (group !~ /AllReduce/)
        next
    if ($1 == 0 && !((group, 0) in last))
        groups[++n_groups] = group
    k = $1 ? 2 : 5
    if (!((group, $1) in last) || ts[e, k] > last[group, $1]) {
        last[group, $1] = ts[e, k]
        if ($1 == 0)
            moment[group] = end[e]
    }
}
function time(r, cycles)
{
    return at + (cycles - zero[r]) / freq
}
END {
    for (i = 1; i <= n_groups; i++) {
        g = groups[i]
        d = last[g, 1] - last[g, 0]
        if (i == 1 || d < least) {
            least = d
            best = g
        }
    }
    at = moment[best]
    for (i = 1; i <= n; i++)
        ranks[rank[i]] = 1
    for (r in ranks)
        zero[r] = r == 0 ? last[best, 0] : last[groups[1], r] + last[best, 1] - last[groups[1], 1]
    for (i = 1; i <= n; i++) {
        from = part[i] == "dma_in" ? 1 : part[i] == "prep" ? 2 : part[i] == "compute" ? 3 : part[i] == "dma_out" ? 4 : 1
        to = part[i] == "dma_in" ? 2 : part[i] == "prep" ? 3 : part[i] == "compute" ? 4 : 5
        f = folder "/x-rank_" rank[i] "-of_9-job-1.json"
        b = time(rank[i], ts[i, from])
        e = time(rank[i], ts[i, to])
        printf "%s{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%d,\"tid\":1,\"ts\":%.3f,\"dur\":%.3f,\"args\":{", \
            (f in begun ? ",\n" : "["), name[i], rank[i], b, e - b >f
        for (k = 1; k <= 5; k++)
            printf "\"TS%d\":\"%.0f\",", k, ts[i, k] % 4294967296 >f
        printf "\"Power\":\"0\"%s}}", args[i] >f
        begun[f] = 1
    }
    for (f in begun)
        print "]" >f
}
