#!/bin/sh
# SPDX-License-Identifier: MIT
# Jobs with a planted cause: equal options give equal bytes, the truth holds, and programs read the traces without remark.
. "$(dirname "$0")/../harness/tap.sh"
command -v python3 >/dev/null 2>&1 || skip_all "no Python 3"

mkdir jobs
python3 -B "$here/check_job.py" jobs >said
[ $? -eq 0 ] && [ -s said ]
ok $? "jobs are checked"
while read -r line; do
    case $line in
    'ok - '*) ok 0 "${line#ok - }" ;;
    *) ok 1 "${line#not ok - }" ;;
    esac
done <said

# The first job is clean, the sixth serves.
for job in 0 5; do
    like "$(tr-info -O text jobs/$job/t/job000/*.json 2>&1)" '*no problems found' "tr-info finds no fault with job $job"
done
tr-align --report -O tsv jobs/0/t/job000/*.json >report 2>err
is "$(awk -F '\t' 'NR > 1 && $2 > 10 && $5 < 1 { n++ } END { print n + 0 }' report)" 2 "ranks are aligned by their collectives"
finish
