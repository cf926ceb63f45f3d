#!/bin/sh
# SPDX-License-Identifier: MIT
# Print the name of a new folder with traces as aiu_aligned.awk makes them, and its tables events and args.
#
#     aiu_aligned.sh MHZ FILE...
freq=$1
shift
folder=$(mktemp -d) || exit
tr-cycles -q --by event --keep-jobs --any-freq --freq "$freq" -O tsv "$@" >"$folder/events" &&
    tr-cycles -q --keep-jobs --any-freq --freq "$freq" "$@" |
    tr-view -q -O tsv --columns rank,record,args.CollGroup,args.Peer,args.Type,args.Bytes >"$folder/args" &&
    awk -F'\t' -v freq="$freq" -v folder="$folder" -f "$(dirname "$0")/aiu_aligned.awk" "$folder/events" "$folder/args" &&
    echo "$folder"
