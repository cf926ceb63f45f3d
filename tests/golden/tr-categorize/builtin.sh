# Truth: the files in libcore/rules, read by eye.
tr-categorize --list-rules -O tsv | cut -f 1
tr-categorize --print-rules operators | head -n 6
tr-categorize -O tsv --explain 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL' --explain aten::addmm --explain triton_poi_fused_add_0 \
    --explain 'void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float> >' --explain nothing \
    --explain 'void cudnn::detail::dgrad_engine<float, 512>(int)' |
    cut -f 1-5,7
echo "== copied and changed"
tr-categorize --print-rules kernels >mine.rules
printf '[mine if starts with]\ntriton_\n' | cat - mine.rules >changed.rules
tr-categorize -O tsv --rules changed.rules --explain triton_poi_fused_add_0 | cut -f 1-5
tr-categorize -O tsv --rules mine.rules --show-rules | cut -f 1-3,5- >shown
tr-categorize -O tsv --rules kernels --show-rules | cut -f 1-3,5- | cmp - shown && echo "the same rules"
