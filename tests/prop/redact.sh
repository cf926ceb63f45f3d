#!/bin/sh
# SPDX-License-Identifier: MIT
# A redacted stream holds none of the texts that its trace holds, wherever they stood (redact.py), and can be read.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-filter tr-view tr-info tr-categorize

$python "$here/redact.py" "$root/libcore/model/selection/tr_redact_rules.c" >found
take found redact.py

# Numbers of strings change by redaction, also that of a thread without a number in a process that has a name.
awk 'BEGIN {
    printf "{\"traceEvents\": ["
    for (i = 0; i < 50; i++)
        printf "{\"ph\": \"X\", \"name\": \"n%d\", \"cat\": \"c\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 1},\n", i, i
    print "{\"ph\": \"X\", \"name\": \"last\", \"cat\": \"c\", \"pid\": \"GPU 0\", \"ts\": 99, \"dur\": 1}]}"
}' >pid.json
tr-filter --redact 'ts >= 99us' pid.json >pid.trs && tr-view -O tsv --columns tid,ts pid.trs >view
ok $? "a text pid without a tid: the redacted stream can be read"
is "$(tail -n +2 view | wc -l | tr -d ' ')" 1 "a text pid without a tid: the event is there"
finish
