# Truth: by the page.  The sample has calls that make streams wait, and no record of these waits on the device.
tr-critpath --what-if 'name =~ "gemm" scale=0.5' -O tsv --columns change "$SAMPLE/rank0.json.gz" | tail -n 1 | tr -d 0-9
tr-critpath --gaps --what-if 'name =~ "gemm" scale=0.5' -O tsv --columns change "$SAMPLE/rank0.json.gz" | tail -n 1 | tr -d 0-9
tr-critpath -q --what-if 'name =~ "gemm" scale=0.5' -O tsv --columns change "$SAMPLE/rank0.json.gz" | tail -n 1 | tr -d 0-9
