# What is no key, no value, no statistic, or does not go together, is refused.
echo '{"traceEvents": []}' >none.json
for options in "--by nonsense" "--by name,name" "--by record" "--by bin(5)" "--by bin(0us)" "--by stack(x)" "--by short(rank)" "--by ,name" \
    "--by args." "--by short(short(name))" '--by replace(name,"[","")' '--by replace(name,"a")' '--by replace(rank,"a","")' \
    '--by replace(replace(name,"a",""),"b","")' '--by short(replace(name,"a",""))' '--by replace(name,"a","b","c")' "--by rank,device,stream,step,kind,cat,name,pid,tid" "--value name" "--value depth" "--stat p101" "--stat median" \
    "--stat count,count" "--stat p50.12345" "--hist=0" "--hist=many" "--hist=3 --stat sum" "--hist --value event" "--value event --stat sum" "--per rank"; do
    # shellcheck disable=SC2086 # several words
    tr-sum $options none.json 2>&1
    echo "status $?"
done
tr-sum none.json
echo "status $?"
