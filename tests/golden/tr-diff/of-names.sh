# Truth: by hand.  A file whose name looks like an option is a file, too: nothing is written elsewhere.
cp "$SAMPLE/rank0.json.gz" ./-oVICTIM
cp "$SAMPLE/rank0.json.gz" ./--help
echo keep >VICTIM
tr-diff --of 'tr-breakdown --by timeline' --columns type,run,diff_time_us --base=-oVICTIM --test=--help -O tsv | head -n 3
cat VICTIM
