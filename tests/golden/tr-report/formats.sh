# Truth: the figures are those of golden/tr-report/sample; the forms are those of the page.  Raw, stream and pipe give the same.
cd "$SAMPLE" || exit 1
tr-report -O md --sections breakdown,memory,next rank0.json.gz
tr-report -O json --sections trust,breakdown,memory,next rank0.json.gz rank1.json.gz
tr-report -O json --sections comm --where 'name == "no such"' rank0.json.gz
for format in text md json; do
    tr-report -O $format - <rank0.json.gz >"$OLDPWD/raw"
    tr-parse rank0.json.gz | tr-report -O $format - | cmp - "$OLDPWD/raw"
    tr-parse rank0.json.gz >"$OLDPWD/stream" && tr-report -O $format - <"$OLDPWD/stream" | cmp - "$OLDPWD/raw"
done
