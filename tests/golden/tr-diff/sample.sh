# Truth: counts and durations are those of tr-breakdown; contributions add up to the total of their side in every view.
tmp=$PWD/have
cd "$SAMPLE" || exit
for view in name short-name kernel operator step path class; do
    tr-diff --by $view -O tsv --unit ns rank0.json.gz rank1.json.gz |
        awk -F '\t' -v view=$view '$1 == "total" { print view, $2, sum[$2] == $9 ? "adds up" : "does not add up", $9 } NR > 1 { sum[$2] += $9 }'
done
tr-diff --by kernel -O tsv rank0.json.gz rank1.json.gz | awk -F '\t' 'NR > 1 && $1 != "total" { print $1 "\t" $3 "\t" $5 }' | sort >"$tmp"
tr-breakdown --by kernel --rank 0 -O tsv rank0.json.gz | awk -F '\t' 'NR > 1 { print $3 "\t" $4 "\t" $5 }' | sort | diff - "$tmp"
tr-diff --by path --top 6 -O text rank0.json.gz rank1.json.gz
