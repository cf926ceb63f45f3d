# SPDX-License-Identifier: MIT
# Reports of TraceLens on traces of rocprofv3, made of lists of events as tr-view -O tsv --unit ns prints them.
#
#     awk -f hip.awk -v KEYS=N -v NAMES=a,b,c      the first N columns are keys, each of the others is a value
#
# prints for each group of equal keys (named as -v HEADER says) its count and, for each value, named as NAMES say, sum, mean, median, deviation (of
# the population), least and greatest.  -v ALL=1: of launches, all work of a call and calls without work.  With -v
# SHARE=1 a share of the sum of all, of which groups whose keys match HIDE are not shown.  With -v
# LAUNCHES=1 the input is two lists: calls (record, pid, tid, name, dur), then work (ts, dur, name, device,
# launch_record, launch_ts, launch_dur); the values are T, A, Q and K.
BEGIN {
    FS = OFS = "\t"
    if (LAUNCHES) {
        KEYS = 5
        NAMES = "total,call,queue,kernel"
    }
    n_names = split(NAMES, names, ",")
    gsub(",", OFS, HEADER)
}

function add(key, values,    i) {
    if (!(key in count))
        keys[++n_keys] = key
    count[key]++
    for (i = 1; i <= n_names; i++)
        list[key, i, count[key]] = values[i]
}

function is_launch(api) {
    return api ~ /^hip(Ext|Module|ExtModule)?LaunchKernel(GGL)?$|Launch.*Kernel|^hipMemset$|^hipMemsetD32Async$|^hipMemcpy(HtoD|DtoH)Async$/
}

function take_work(ts, dur, name, device, record, start, len,    v) {
    if (dur <= 0 || name ~ /register/ || !(record in of_call) || (!ALL && (!is_launch(api[record]) || record in taken)))
        return
    taken[record] = 1
    v[2] = len
    v[3] = ts > start + len ? ts - start - len : 0
    v[4] = dur
    v[1] = v[2] + v[3] + v[4]
    queued[of_call[record] OFS device OFS api[record] OFS name]++
    add(of_call[record] OFS device OFS api[record] OFS name, v)
}

NR == 1 || (LAUNCHES && $1 !~ /^[0-9]/) { part++; next }
LAUNCHES && part == 1 { of_call[$1] = $2 OFS $3; api[$1] = $4; calls[++n_calls] = $1; len_of[$1] = $5; next }
LAUNCHES { take_work($1, $2, $3, $4, $5, $6, $7); next }
{
    key = $1
    for (i = 2; i <= KEYS; i++)
        key = key OFS $i
    for (i = 1; i <= n_names; i++)
        value[i] = $(KEYS + i)
    add(key, value)
    sum_of[key] += value[1]
    sum_of_all += value[1]
}

function statistics(key, i,    n, k, j, v, s, sum, mean, square) {
    n = count[key]
    sum = square = 0
    for (k = 1; k <= n; k++) { # few each: insertion keeps them in order
        v = list[key, i, k] + 0
        sum += v
        for (j = k - 1; j >= 1 && s[j] > v; j--)
            s[j + 1] = s[j]
        s[j + 1] = v
    }
    mean = sum / n
    for (k = 1; k <= n; k++)
        square += (s[k] - mean) ^ 2
    return sprintf("%.17g%s%.17g%s%.17g%s%.17g%s%.17g%s%.17g", sum, OFS, mean, OFS,
                   n % 2 ? s[(n + 1) / 2] : (s[n / 2] + s[n / 2 + 1]) / 2, OFS, sqrt(square / n), OFS, s[1], OFS, s[n])
}

END {
    for (k = 1; LAUNCHES && ALL && k <= n_calls; k++)
        if (!(calls[k] in taken)) {
            v[1] = v[3] = v[4] = 0
            v[2] = len_of[calls[k]]
            add(of_call[calls[k]] OFS 0 OFS api[calls[k]] OFS "", v)
        }
    line = LAUNCHES ? "pid" OFS "tid" OFS "device" OFS "name" OFS "kernel" : HEADER
    line = line OFS "count" OFS (SHARE ? "pct" : "queue_count")
    for (i = 1; i <= n_names; i++)
        for (j = split("sum,mean,median,pstd,min,max", kinds, ","); j >= 1; j--)
            part_of[i] = OFS names[i] "_ns_" kinds[j] part_of[i]
    for (i = 1; i <= n_names; i++)
        line = line part_of[i]
    print line
    for (k = 1; k <= n_keys; k++) {
        if (HIDE != "" && keys[k] ~ HIDE)
            continue
        line = keys[k] OFS count[keys[k]] OFS (SHARE ? sprintf("%.17g", 100 * sum_of[keys[k]] / sum_of_all) : queued[keys[k]] + 0)
        for (i = 1; i <= n_names; i++)
            line = line OFS statistics(keys[k], i)
        print line
    }
}
