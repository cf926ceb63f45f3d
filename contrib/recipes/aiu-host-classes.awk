# SPDX-License-Identifier: MIT
# aiu-host-classes.awk: classes of the host's spans of IBM's AIU, as acelyzer calls them, by names.
#
#     tr-view -O tsv --where '!(activity in (kernel, memcpy))' --columns rank,name,ts,dur aiu-*.json |
#         awk -f aiu-host-classes.awk
#
# Any table with a column "name" gets a column "class".  Work of the device has its classes from aiu.rules.

BEGIN {
    FS = OFS = "\t"
}
NR == 1 {
    for (i = 1; i <= NF; i++)
        if ($i == "name")
            at = i
    if (!at) {
        print "aiu-host-classes.awk: no column \"name\"" >"/dev/stderr"
        exit 2
    }
    print $0, "class"
    next
}
function class_of(name)
{
    if (name == "AIU Roundtrip")
        return "ROUNDTRIP_AIU"
    if (name == "Flex RoundTrip" || name == "aiuLaunchSuperNode" || name == "aiuSuperNodeExecution")
        return "ROUNDTRIP_FLEX"
    if (name ~ /[Bb]arrier:/)
        return "MAIU_BARRIER"
    if (name == "PrepareAndSyncRdma" || name == "aiuPrepareAndSyncRdma")
        return "MAIU_WIREUP"
    if (name == "aiuDataConvert" || (name ~ /Compute of / && name !~ /Compute of .*SenFusedDeviceNode/))
        return "SEN_DATA_CONVERT"
    return "OTHER"
}
{
    print $0, class_of($at)
}
