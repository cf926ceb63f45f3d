# SPDX-License-Identifier: MIT
# Classes of kernels (hip.rules) as TraceLens has them for traces of rocprofv3: of tr-sum --by class,device,name --stat
# count,sum.  Times in which communication and computation run at once are not told: 0.
BEGIN {
    FS = OFS = "\t"
    OFMT = "%.17g"
    n = split("xla,aiterfwd,aiterbwd,gemm,ckbwd,ckfwd,te,memcpy/memset,fillBuffer,rccl,overlapped_comm," \
              "non_overlapped_comm,compute_total,total_incl_comm", classes, ",")
}
NR > 1 {
    class = $1 == "" || $1 == "other" ? "xla" : $1 == "memcpy" ? "memcpy/memset" : $1
    devices[$2] = 1
    count[$2, class] += $4
    sum[$2, class] += $5
    if (class != "rccl")
        sum[$2, "compute_total"] += $5
    sum[$2, "total_incl_comm"] += $5
}
function row(device, of, class) {
    print device, class, sum[of, class] + 0, count[of, class] + 0, sum[of, class] / sum[of, "compute_total"],
          sum[of, class] / sum[of, "total_incl_comm"]
}
END {
    print "gpu", "category", "time_us", "count", "compute_fraction", "total_fraction"
    for (d in devices)
        n_devices++
    for (i = 1; i <= n; i++)
        for (d in devices) {
            row(d, d, classes[i])
            sum["avg", classes[i]] += sum[d, classes[i]] / n_devices
            count["avg", classes[i]] += count[d, classes[i]] / n_devices
        }
    for (i = 1; i <= n; i++)
        row("avg", "avg", classes[i])
}
