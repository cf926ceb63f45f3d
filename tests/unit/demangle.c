/* SPDX-License-Identifier: MIT */
/*
 * Mangled names: each production of the ABI that is known, as c++filt prints it; every start of each such name, which
 * is another name or none; what is not known; and names that nest without end.
 */
#include "harness/tap.h"

#include "vendor/tr_demangle.h"

#define N(array) (sizeof(array) / sizeof *(array))

/* A name of n bytes in memory that ends there: what reads on is found by sanitizers.  NULL: not known. */
static const char *plain(const char *name, size_t n)
{
    static char text[4096];
    struct tr_buf out = { 0 };
    char *copy = malloc(n + !n);
    memcpy(copy, name, n);
    CHECK(tr_buf_add(&out, "x", 1));
    bool known = tr_demangle((struct tr_str){ copy, n }, &out);
    CHECK(out.data[0] == 'x' && (known ? out.len > 1 : out.len == 1));
    snprintf(text, sizeof text, "%.*s", (int)(out.len - 1), (const char *)out.data + 1);
    tr_buf_free(&out);
    free(copy);
    return known ? text : NULL;
}

static const char *const known[][2] = {
    { "_Z3foov", "foo()" },
    { "_Z3foo", "foo" },
    { "_Z3fooi", "foo(int)" },
    { "_Z3fooiPKcRdOf", "foo(int, char const*, double&, float&&)" },
    { "_Z3foovi", "foo(void, int)" },
    { "_ZTSi", "int" },
    { "_ZTS3foo", "foo" },
    { "_ZTSN1a1b1cE", "a::b::c" },
    { "_ZTSNK1a1bE", "a::b" },
    { "_ZN1a1bEv", "a::b()" },
    { "_ZNK1a1bEv", "a::b() const" },
    { "_ZNR1a1bEi", "a::b(int) &" },
    { "_ZNKR1a1bEi", "a::b(int) const &" },
    { "_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f()" },
    { "_ZN1a12_GLOBAL__N_11fEv", "a::(anonymous namespace)::f()" },
    { "_Z1fIiEvT_", "void f<int>(int)" },
    { "_Z1fIiEiT_S0_", "int f<int>(int, int)" },
    { "_Z1fIfiEvT0_T_", "void f<float, int>(int, float)" },
    { "_Z1fIiEvPT_S1_", "void f<int>(int*, int*)" },
    { "_Z1fILi3EEvv", "void f<3>()" },
    { "_Z1fILin3EEvv", "void f<-3>()" },
    { "_Z1fILj3EEvv", "void f<3u>()" },
    { "_Z1fILl3EEvv", "void f<3l>()" },
    { "_Z1fILm3EEvv", "void f<3ul>()" },
    { "_Z1fILx3EEvv", "void f<3ll>()" },
    { "_Z1fILy3EEvv", "void f<3ull>()" },
    { "_Z1fILb0EEvv", "void f<false>()" },
    { "_Z1fILb1EEvv", "void f<true>()" },
    { "_Z1fILc3EEvv", "void f<(char)3>()" },
    { "_Z1fIL1e3EEvv", "void f<(e)3>()" },
    { "_Z1fIJEEvv", "void f<>()" },
    { "_Z1fIJifEEvDpT_", "void f<int, float>(int, float)" },
    { "_Z1fIJidEcEvT0_", "void f<int, double, char>(char)" },
    { "_ZTS1aI1bI1cEE", "a<b<c> >" },
    { "_ZTSN1aI1bE1cE", "a<b>::c" },
    { "_ZTSN1aI1bE1cIS1_EE", "a<b>::c<a<b> >" },
    { "_ZTSZ4mainEUlvE_", "main::{lambda()#1}" },
    { "_ZTSZ4mainEUlvE0_", "main::{lambda()#2}" },
    { "_ZTSZ4mainEUlT_E0_", "main::{lambda(auto:1)#2}" },
    { "_ZTSZ4mainEUlT_T0_E10_", "main::{lambda(auto:1, auto:2)#12}" },
    { "_ZTSZ4mainEUlRT_PKS_E_", "main::{lambda(auto:1&, auto:1 const*)#1}" },
    { "_ZTSZ1fvEUliE_", "f()::{lambda(int)#1}" },
    { "_ZTSZ1fvEUlifE_", "f()::{lambda(int, float)#1}" },
    { "_ZTSZ1fvE1a", "f()::a" },
    { "_ZTSZ1fvE1a_0", "f()::a" },
    { "_ZTSZ1fvE1a__10_", "f()::a" },
    { "_ZTSZ1fvEN1a1bE", "f()::a::b" },
    { "_ZTSZZ1fvENKUlvE_clEvEUlvE_", "f()::{lambda()#1}::operator()() const::{lambda()#1}" },
    { "_ZZ1fvENKUliE_clEi", "f()::{lambda(int)#1}::operator()(int) const" },
    { "_ZTSZ1fvEUt_", "f()::{unnamed type#1}" },
    { "_ZTSZ1fvEUt0_", "f()::{unnamed type#2}" },
    { "_ZTSN1aUt_E", "a::{unnamed type#1}" },
    { "_Z1fSaIcE", "f(std::allocator<char>)" },
    { "_Z1fSb", "f(std::basic_string)" },
    { "_Z1fSs", "f(std::string)" },
    { "_Z1fSi", "f(std::istream)" },
    { "_Z1fSo", "f(std::ostream)" },
    { "_Z1fSd", "f(std::iostream)" },
    { "_ZSt4moveIiEvT_", "void std::move<int>(int)" },
    { "_ZNSt6vectorIiE4pushEv", "std::vector<int>::push()" },
    { "_ZNSt6vectorIiSaIiEE4pushERKi", "std::vector<int, std::allocator<int> >::push(int const&)" },
    { "_Z1fSt6vectorIiSaIiEE", "f(std::vector<int, std::allocator<int> >)" },
    { "_Z1f1aS_", "f(a, a)" },
    { "_Z1f1a1bS0_S_", "f(a, b, b, a)" },
    { "_Z1f1a1b1c1d1e1f1g1h1i1j1k1l1mSB_SA_S9_S0_S_", "f(a, b, c, d, e, f, g, h, i, j, k, l, m, m, l, k, b, a)" },
    { "_Z1fPKcS0_S_", "f(char const*, char const*, char const)" },
    { "_Z1fVi", "f(int volatile)" },
    { "_Z1fPVKi", "f(int const volatile*)" },
    { "_Z1fPVi", "f(int volatile*)" },
    { "_Z1fPPi", "f(int**)" },
    { "_Z1fOi", "f(int&&)" },
    { "_Z1fRi", "f(int&)" },
    { "_Z1fvw", "f(void, wchar_t)" },
    { "_Z1fw", "f(wchar_t)" },
    { "_Z1fb", "f(bool)" },
    { "_Z1fc", "f(char)" },
    { "_Z1fa", "f(signed char)" },
    { "_Z1fh", "f(unsigned char)" },
    { "_Z1fs", "f(short)" },
    { "_Z1ft", "f(unsigned short)" },
    { "_Z1fi", "f(int)" },
    { "_Z1fj", "f(unsigned int)" },
    { "_Z1fl", "f(long)" },
    { "_Z1fm", "f(unsigned long)" },
    { "_Z1fx", "f(long long)" },
    { "_Z1fy", "f(unsigned long long)" },
    { "_Z1fn", "f(__int128)" },
    { "_Z1fo", "f(unsigned __int128)" },
    { "_Z1ff", "f(float)" },
    { "_Z1fd", "f(double)" },
    { "_Z1fe", "f(long double)" },
    { "_Z1fg", "f(__float128)" },
    { "_Z1fz", "f(...)" },
    { "_Z1fDi", "f(char32_t)" },
    { "_Z1fDs", "f(char16_t)" },
    { "_Z1fDu", "f(char8_t)" },
    { "_Z1fDa", "f(auto)" },
    { "_Z1fDn", "f(decltype(nullptr))" },
    { "_Z1fDh", "f(half)" },
    { "_Z1fDF16_", "f(_Float16)" },
    { "_Z1fDF16b", "f(std::bfloat16_t)" },
    { "_ZTS1aIN1b1cEiLi32EE", "a<b::c, int, 32>" },
    { "_ZTSN4sycl3_V16detail19__pf_kernel_wrapperIZZ4mainENKUlRNS0_7handlerEE_clES3_E1aEE",
      "sycl::_V1::detail::__pf_kernel_wrapper<main::{lambda(sycl::_V1::handler&)#1}::operator()(sycl::_V1::handler) "
      "const::a>" },

    { "_ZTSZZ1gRN4sycl3_V15queueEENKUlRNS0_7handlerEE_clES4_EUlNS0_2idILi1EEEE_",
      "g(sycl::_V1::queue&)::{lambda(sycl::_V1::handler&)#1}::operator()(sycl::_V1::handler&) "
      "const::{lambda(sycl::_V1::id<1>)#1}" },
    { "_ZNK3fooIiE3barIfEEvT_", "void foo<int>::bar<float>(float) const" },
    { "_Z03foov", "foo()" },
    { "_ZN1aE1b", "a(b)" },
    { "_ZTSZ1fvE1a_", "f()::a" },
};

/* Starts of these that are names themselves. */
static const char *const starts[][2] = {
    { "_Z03foo", "foo" },
    { "_Z1f", "f" },
    { "_Z1f1a", "f(a)" },
    { "_Z1f1a1b", "f(a, b)" },
    { "_Z1f1a1b1c", "f(a, b, c)" },
    { "_Z1f1a1b1c1d", "f(a, b, c, d)" },
    { "_Z1f1a1b1c1d1e", "f(a, b, c, d, e)" },
    { "_Z1f1a1b1c1d1e1f", "f(a, b, c, d, e, f)" },
    { "_Z1f1a1b1c1d1e1f1g", "f(a, b, c, d, e, f, g)" },
    { "_Z1f1a1b1c1d1e1f1g1h", "f(a, b, c, d, e, f, g, h)" },
    { "_Z1f1a1b1c1d1e1f1g1h1i", "f(a, b, c, d, e, f, g, h, i)" },
    { "_Z1f1a1b1c1d1e1f1g1h1i1j", "f(a, b, c, d, e, f, g, h, i, j)" },
    { "_Z1f1a1b1c1d1e1f1g1h1i1j1k", "f(a, b, c, d, e, f, g, h, i, j, k)" },
    { "_Z1f1a1b1c1d1e1f1g1h1i1j1k1l", "f(a, b, c, d, e, f, g, h, i, j, k, l)" },
    { "_Z1f1a1b1c1d1e1f1g1h1i1j1k1l1m", "f(a, b, c, d, e, f, g, h, i, j, k, l, m)" },
    { "_Z1f1a1b1c1d1e1f1g1h1i1j1k1l1mSB_", "f(a, b, c, d, e, f, g, h, i, j, k, l, m, m)" },
    { "_Z1f1a1b1c1d1e1f1g1h1i1j1k1l1mSB_SA_", "f(a, b, c, d, e, f, g, h, i, j, k, l, m, m, l)" },
    { "_Z1f1a1b1c1d1e1f1g1h1i1j1k1l1mSB_SA_S9_", "f(a, b, c, d, e, f, g, h, i, j, k, l, m, m, l, k)" },
    { "_Z1f1a1b1c1d1e1f1g1h1i1j1k1l1mSB_SA_S9_S0_", "f(a, b, c, d, e, f, g, h, i, j, k, l, m, m, l, k, b)" },
    { "_Z1f1a1bS0_", "f(a, b, b)" },
    { "_Z1f1aSa", "f(a, std::allocator)" },
    { "_Z1fIJEE", "f<>" },
    { "_Z1fIJEEv", "void f<>()" },
    { "_Z1fIJidEcE", "f<int, double, char>" },
    { "_Z1fIJidEcEv", "void f<int, double, char>()" },
    { "_Z1fIJifEE", "f<int, float>" },
    { "_Z1fIJifEEv", "void f<int, float>()" },
    { "_Z1fIL1e3EE", "f<(e)3>" },
    { "_Z1fIL1e3EEv", "void f<(e)3>()" },
    { "_Z1fILb0EE", "f<false>" },
    { "_Z1fILb0EEv", "void f<false>()" },
    { "_Z1fILb1EE", "f<true>" },
    { "_Z1fILb1EEv", "void f<true>()" },
    { "_Z1fILc3EE", "f<(char)3>" },
    { "_Z1fILc3EEv", "void f<(char)3>()" },
    { "_Z1fILi3EE", "f<3>" },
    { "_Z1fILi3EEv", "void f<3>()" },
    { "_Z1fILin3EE", "f<-3>" },
    { "_Z1fILin3EEv", "void f<-3>()" },
    { "_Z1fILj3EE", "f<3u>" },
    { "_Z1fILj3EEv", "void f<3u>()" },
    { "_Z1fILl3EE", "f<3l>" },
    { "_Z1fILl3EEv", "void f<3l>()" },
    { "_Z1fILm3EE", "f<3ul>" },
    { "_Z1fILm3EEv", "void f<3ul>()" },
    { "_Z1fILx3EE", "f<3ll>" },
    { "_Z1fILx3EEv", "void f<3ll>()" },
    { "_Z1fILy3EE", "f<3ull>" },
    { "_Z1fILy3EEv", "void f<3ull>()" },
    { "_Z1fIfiE", "f<float, int>" },
    { "_Z1fIfiEv", "void f<float, int>()" },
    { "_Z1fIfiEvT0_", "void f<float, int>(int)" },
    { "_Z1fIiE", "f<int>" },
    { "_Z1fIiEi", "int f<int>()" },
    { "_Z1fIiEiT_", "int f<int>(int)" },
    { "_Z1fIiEv", "void f<int>()" },
    { "_Z1fIiEvPT_", "void f<int>(int*)" },
    { "_Z1fPKc", "f(char const*)" },
    { "_Z1fPKcS0_", "f(char const*, char const*)" },
    { "_Z1fSa", "f(std::allocator)" },
    { "_Z1fSt6vector", "f(std::vector)" },
    { "_Z1fv", "f()" },
    { "_Z3fooiPKc", "foo(int, char const*)" },
    { "_Z3fooiPKcRd", "foo(int, char const*, double&)" },
    { "_ZN12_GLOBAL__N_11fE", "(anonymous namespace)::f" },
    { "_ZN1a12_GLOBAL__N_11fE", "a::(anonymous namespace)::f" },
    { "_ZN1a1bE", "a::b" },
    { "_ZN1aE", "a" },
    { "_ZNK1a1bE", "a::b" },
    { "_ZNK3fooIiE3barIfEE", "foo<int>::bar<float>" },
    { "_ZNK3fooIiE3barIfEEv", "void foo<int>::bar<float>() const" },
    { "_ZNKR1a1bE", "a::b" },
    { "_ZNR1a1bE", "a::b" },
    { "_ZNSt6vectorIiE4pushE", "std::vector<int>::push" },
    { "_ZNSt6vectorIiSaIiEE4pushE", "std::vector<int, std::allocator<int> >::push" },
    { "_ZSt4move", "std::move" },
    { "_ZSt4moveIiE", "std::move<int>" },
    { "_ZSt4moveIiEv", "void std::move<int>()" },
    { "_ZTS1a", "a" },
    { "_ZZ1fvENKUliE_clE", "f()::{lambda(int)#1}::operator()" },
};

static const char *in(const char *const table[][2], size_t n, const char *name, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(table[i][0]) == len && !memcmp(table[i][0], name, len))
            return table[i][1];
    return NULL;
}

static void test_known(void)
{
    for (size_t i = 0; i < N(known); i++) {
        const char *text = plain(known[i][0], strlen(known[i][0]));
        CHECK_STR(text ? text : known[i][0], known[i][1]);
    }
}

/* Each start of a name is the name that it should be, or none; with more behind it, a name is none or another. */
static void test_starts(void)
{
    for (size_t i = 0; i < N(known); i++)
        for (size_t n = strlen(known[i][0]) - 1; n > 0; n--) {
            const char *want = in(starts, N(starts), known[i][0], n), *have = plain(known[i][0], n);
            want = want ? want : in(known, N(known), known[i][0], n);
            if (!have != !want)
                printf("# %.*s\n", (int)n, known[i][0]);
            CHECK_STR(have ? have : "", want ? want : "");
        }
    for (size_t i = 0; i < N(known); i++) {
        char more[300];
        int n = snprintf(more, sizeof more, "%s?", known[i][0]);
        CHECK(!plain(more, (size_t)n));
    }
}

static void test_unknown(void)
{
    static const char *const unknown[] = {
        "_Z1fPKcS1_",
        "_ZN2at6native13elementwiseILi4EZNS0_3gpuIfEEvvEUliE_EEviT0_",
        "_ZTS1aIXadL_Z1fvEEE",
        "_Z1fPFviE",
        "_Z1fA3_i",
        "_Z1fM1ai",
        "_Z1fDTcl1gEE",
        "_ZplRK1aS1_",
        "_ZN1aC1Ev",
        "_ZTV1a",
        "_Z",
        "_ZTS",
        "foo",
        "_Z0",
        "_Z4foo",
        "_Z1fT_",
        "_Z1fS_",
        "_Z1fS0_",
        "_Z1fIiEvS9_",
        "_Z1fILiEEvv",
        "_Z1fILi3vv",
        "_Z1fIi",
        "_ZN1a",
        "_ZNE",
        "_ZNT_E",
        "_ZTSZ1fv",
        "_ZTSZ1fvEs",
        "_ZTSZ1fvEd0_1a",
        "_ZTSZ1fvE1a__10",
        "_ZTSZ1fvE1a__x_",
        "_ZTSZ4mainEUlvE",
        "_ZTSZ4mainEUlv",
        "_ZTSZ4mainEUlvEA_",
        "_Z1f1aSa_",
        "_Z1f1aS-_",
        "_Z1fi_",
    };
    for (size_t i = 0; i < N(unknown); i++) {
        const char *text = plain(unknown[i], strlen(unknown[i]));
        if (text)
            printf("# %s\n", unknown[i]);
        CHECK(!text);
        CHECK(!plain(unknown[i], 0));
    }
}

/* What opens something, a million times and more: the name is not known, soon, and the stack holds. */
static void test_deep(void)
{
    static const char *const openers[] = { "Z",    "N",    "P",    "Ul",   "1aI", "K", "Dp",
                                           "ZN1a", "1aIL", "N1aI", "1aIJ", "St",  "S" };
    for (size_t i = 0; i < N(openers); i++) {
        struct tr_buf name = { 0 };
        for (unsigned start = 0; start < 3; start++) {
            name.len = 0;
            CHECK(tr_buf_add_str(&name, start == 0 ? "_ZTS" : start == 1 ? "_Z" : "_ZTSZ1fvEUl"));
            for (size_t n = 0; n < (1u << 20); n++)
                CHECK(tr_buf_add_str(&name, openers[i]));
            CHECK(!plain((const char *)name.data, name.len));
        }
        tr_buf_free(&name);
    }
}

/* Each parameter is twice the one before it: "a<S0_, S0_>", "a<S2_, S2_>"; there is an end to it. */
static void test_long(void)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char name[400] = "_Z1f1aIiiE";
    for (size_t k = 1; k < 18; k++) {
        char twice[20];
        snprintf(twice, sizeof twice, "1aIS%c_S%c_E", digits[2 * k - 2], digits[2 * k - 2]);
        strcat(name, twice);
        const char *text = plain(name, strlen(name));
        CHECK(k != 1 || (text && !strcmp(text, "f(a<int, int>, a<a<int, int>, a<int, int> >)")));
        CHECK(!text == (k > 8) || (k > 5 && k < 15));
    }
}

int main(void)
{
    static const struct tap_test tests[] = {
        { "names that are known", test_known },       { "starts of names", test_starts },
        { "names that are not known", test_unknown }, { "names that nest without end", test_deep },
        { "names that grow without end", test_long },
    };
    return tap_run(tests, N(tests));
}
