# Truth: c++filt of GNU binutils, without "typeinfo name for ".  Names as compilers of SYCL give them: lambdas in
# functions, in lambdas, in templates; namespaces, packs, numbers, substitutions.  The last three are not known or not
# mangled, and are found as they are.
cat >names <<'END'
_ZTSZ4mainEUlT_E0_	main::{lambda(auto:1)#2}
_ZTSZZ4mainENKUlRN4sycl7handlerEE_clES1_EUlvE_	main::{lambda(sycl::handler&)#1}::operator()(sycl::handler&) const::{lambda()#1}
_ZTS4scanISt6vectorIfSaIfEELi4ELb1EE	scan<std::vector<float, std::allocator<float> >, 4, true>
_ZTSN1a1b4packIJif1SEEE	a::b::pack<int, float, S>
_ZTSZ4manyIJid1SEEvDpT_EUlT_E_	many<int, double, S>(int, double, S)::{lambda(auto:1)#1}
_ZTSZZ4kernIfEvPT_RKS0_ENKUlRN4sycl7handlerEE_clES6_EUlS0_E_	kern<float>(float*, float const&)::{lambda(sycl::handler&)#1}::operator()(sycl::handler&) const::{lambda(auto:1)#1}
_ZTSZZNK3Cls2goIdEEvT_ENKUlRN4sycl7handlerEdE_clES4_dEUliS1_T0_E_	Cls::go<double>(double) const::{lambda(sycl::handler&, double)#1}::operator()(sycl::handler&, double) const::{lambda(int, auto:1, auto:2)#1}
_ZTSN12_GLOBAL__N_14anonE	(anonymous namespace)::anon
_ZTSN4sycl3accINS_5rangeILi3EEELin2EEE	sycl::acc<sycl::range<3>, -2>
_ZTSSt17integral_constantImLm5EE	std::integral_constant<unsigned long, 5ul>
_ZTSPKPKi	int const* const*
_ZTSZ4mainE3Loc_0	main::Loc
_ZTSPFviE	_ZTSPFviE
_ZTS3fo	_ZTS3fo
plain	plain
END
echo 'Kernel, IP[Address], SbidStall[Events]' >metrics.csv
mkdir dumps
n=0
while IFS='	' read -r mangled name; do
    n=$((n + 1))
    printf '//.kernel %s\n    mov r%s {A@1} // $1\n' "$mangled" $n >dumps/$n.asm
    printf '"%s", 0, %s\n' "$name" $((100 - n)) >>metrics.csv
done <names
tr-stalls --by instruction --asm dumps -O tsv --columns name,instruction metrics.csv
