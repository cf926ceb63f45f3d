#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-sum in little memory: groups in temporary files give the rows of groups in memory.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-sum
make_traces made --size 150M --no-truth --seed 5
tr-parse -q -o all.trs made/rank0.json

while read -r options <&3; do
    # shellcheck disable=SC2086 # several words
    tr-sum -q -M 2G $options -O tsv -o whole.tsv all.trs
    ok $? "tr-sum $options: done in memory"
    for memory in 16M 24M; do
        # shellcheck disable=SC2086
        said=$(tr-sum -q -M $memory -T . $options -O tsv -o parts.tsv all.trs 2>&1)
        is "$said" "" "tr-sum -M $memory $options: done"
        same whole.tsv parts.tsv "tr-sum -M $memory $options: the same rows"
    done
    # shellcheck disable=SC2086
    tr-sum -q -M 16M -T absent $options all.trs >/dev/null 2>&1
    is $? 4 "tr-sum -M 16M $options: needs a temporary file"
done 3<<'END'
--by ts,name,tid --value event
--by name,ts --stat count,sum,share,mean,std,min,p50,p99,max,first,last
--by ts,name --value self --stat count,sum,min
--by name,correlation,ts --hist=3
--by operator,module,bin(1us),short(name)
--by args.correlation,ts --value args.stream --stat sum,p50
END
[ "$(wc -l <whole.tsv)" -gt 1000 ]
ok $? "there are groups enough"
finish
