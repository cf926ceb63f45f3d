# Truth: by the page.  Each is refused with one line, and prints nothing.
cd "$SAMPLE" || exit 1
tr-report --sections idle,none rank0.json.gz || echo $?
tr-report --sections '' rank0.json.gz || echo $?
tr-report --per step rank0.json.gz || echo $?
tr-report -O tsv rank0.json.gz || echo $?
tr-report --rank 5 rank0.json.gz || echo $?
tr-report --step 99 rank0.json.gz || echo $?
tr-report --base nowhere.json -- rank0.json.gz || echo $?
tr-report --sections none --base rank0.json.gz -- rank0.json.gz || echo $?
tr-report --base rank0.json.gz rank1.json.gz </dev/null || echo $?
tr-report --base rank0.json.gz rank0.json.gz <rank1.json.gz || echo $?
tr-report --base rank0.json.gz rank1.json.gz rank0.json.gz -O json </dev/null || echo $?
tr-report -O json --sections headline --base rank0.json.gz rank1.json.gz -- - <rank0.json.gz >/dev/null || echo $?
