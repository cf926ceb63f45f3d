# SPDX-License-Identifier: MIT
# aiu-messages.awk: messages between the ranks of an AIU's job: which receive belongs to which send.
#
#     columns=rank,name,ts,dur,args.CollGroup,args.Peer,args.Type,args.Bytes
#     tr-cycles aiu-*.json >job.trs
#     tr-view -O tsv --unit ns --relative --columns $columns job.trs | awk -f aiu-messages.awk
#
# A row for each message, by the time of its send: its group and its text [sync=...], the ranks, the bytes that were
# received, start and end of the send, start and end of the receive, GB/s (bytes by the time of the send), the names of
# both.  Times are as in the input, each on its rank's own clock.
#
# With -v by=offsets, the offsets of the ranks' clocks, for tr-align(1):
#
#     tr-view ... job.trs | awk -v by=offsets -f aiu-messages.awk >offsets.tsv
#     tr-align --offsets offsets.tsv job.trs >aligned.trs
#
# A send and its receive end at one moment: that is when the last byte arrives.  The offsets are those for which these
# ends agree best, by least squares; the rank with the lowest number has the right time.  A rank without messages, or
# that no chain of messages connects with it, has no row.
#
# With -v by=collectives, a row for each group and rank: from the start of its first message to the end of its last
# one, the messages that it sent and received, and their bytes.  It needs aligned times.
#
# A send to several ranks has a part for each of them (type "MultiCast XSEG"), and one that sends the data
# ("MultiCast"), whose end counts.

BEGIN {
    FS = OFS = "\t"
}
NR == 1 || $5 == "" {
    next
}
{
    at = index($2, "[sync=")
    if (!at)
        next
    sync = substr($2, at + 6)
    sub(/\].*/, "", sync)
    end = $3 + $4
}
$7 == "MultiCast" {
    data_end[sync, $1] = end
    data_dur[sync, $1] = $4
}
$7 == "SingleCast" || $7 == "MultiCast XSEG" {
    key = sync SUBSEP $1 SUBSEP $6
    if (!(key in send)) {
        send[key] = $3
        order[++n_sends] = key
    }
    send_end[key] = end
    send_dur[key] = $4
    send_name[key] = $2
    group[key] = $5
    cast[key] = $7
}
$7 == "WDone Barrier" {
    key = sync SUBSEP $6 SUBSEP $1
    recv[key] = $3
    recv_end[key] = end
    recv_name[key] = $2
    bytes[key] = $8
}
function finish_send(key, part)
{
    split(key, part, SUBSEP)
    if (cast[key] == "MultiCast XSEG" && (part[1], part[2]) in data_end) {
        send_end[key] = data_end[part[1], part[2]]
        send_dur[key] = data_dur[part[1], part[2]]
    }
    from[key] = part[2]
    to[key] = part[3]
    sync_of[key] = part[1]
}
function messages(i, key)
{
    print "group", "sync", "src", "dst", "bytes", "send_start_ns", "send_end_ns", "recv_start_ns", "recv_end_ns", \
        "GBps", "send_name", "recv_name"
    for (i = 1; i <= n_sends; i++) {
        key = order[i]
        if (key in recv)
            printf "%s\t%s\t%s\t%s\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%s\t%s\t%s\n", group[key], sync_of[key], from[key], to[key], \
                bytes[key], send[key], send_end[key], recv[key], recv_end[key], \
                (bytes[key] != "" && send_dur[key] > 0 ? sprintf("%.6f", bytes[key] / send_dur[key]) : ""), \
                send_name[key], recv_name[key]
    }
}
# Each rank in turn takes the mean of what its messages say, until nothing changes.
function offsets(i, key, r, turn, sum, n, was, change, lowest)
{
    for (i = 1; i <= n_sends; i++) {
        key = order[i]
        if (!(key in recv) || from[key] == to[key])
            continue
        links[++n_links] = key
        ranks[from[key]] = ranks[to[key]] = 1
    }
    lowest = ""
    for (r in ranks)
        if (lowest == "" || r + 0 < lowest + 0)
            lowest = r
    offset[lowest] = 0
    for (turn = 0; turn < 10000; turn++) {
        change = 0
        for (r in ranks)
            sum[r] = n[r] = 0
        for (i = 1; i <= n_links; i++) {
            key = links[i]
            if (from[key] in offset) {
                sum[to[key]] += send_end[key] - offset[from[key]] - recv_end[key]
                n[to[key]]++
            }
            if (to[key] in offset) {
                sum[from[key]] += recv_end[key] - offset[to[key]] - send_end[key]
                n[from[key]]++
            }
        }
        for (r in ranks) {
            if (r == lowest || !n[r])
                continue
            was = (r in offset) ? offset[r] : "none"
            offset[r] = was == "none" ? -sum[r] / n[r] : (was - sum[r] / n[r]) / 2
            if (was == "none" || offset[r] - was > .01 || was - offset[r] > .01)
                change = 1
        }
        if (!change)
            break
    }
    print "rank", "offset_us"
    for (i = 0; i < 1000000 && n_ranks < length_of(offset); i++)
        if (i in offset) {
            printf "%d\t%.3f\n", i, (offset[i] > -.5 && offset[i] < .5 ? 0 : offset[i] / 1000)
            n_ranks++
        }
}
function length_of(list, k, n)
{
    n = 0
    for (k in list)
        n++
    return n
}
function part_of(g, r, start, end, sent, got, amount, k)
{
    k = g SUBSEP r
    if (!(k in begun)) {
        begun[k] = start
        ended[k] = end
        parts[++n_parts] = k
    }
    begun[k] = start < begun[k] ? start : begun[k]
    ended[k] = end > ended[k] ? end : ended[k]
    n_sent[k] += sent
    n_got[k] += got
    volume[k] += amount
}
function collectives(i, key, part)
{
    for (i = 1; i <= n_sends; i++) {
        key = order[i]
        if (!(key in recv))
            continue
        part_of(group[key], from[key], send[key], send_end[key], 1, 0, bytes[key])
        part_of(group[key], to[key], recv[key], recv_end[key], 0, 1, bytes[key])
    }
    print "group", "rank", "start_ns", "dur_ns", "sent", "received", "bytes"
    for (i = 1; i <= n_parts; i++) {
        split(parts[i], part, SUBSEP)
        printf "%s\t%s\t%.0f\t%.0f\t%d\t%d\t%.0f\n", part[1], part[2], begun[parts[i]], ended[parts[i]] - begun[parts[i]], \
            n_sent[parts[i]], n_got[parts[i]], volume[parts[i]]
    }
}
END {
    for (i = 1; i <= n_sends; i++)
        finish_send(order[i])
    if (by == "offsets")
        offsets()
    else if (by == "collectives")
        collectives()
    else
        messages()
}
