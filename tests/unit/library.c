/* SPDX-License-Identifier: MIT */
/* Libraries that are loaded when they are needed: base/tr_library.h. */
#include "base/tr_library.h"
#include "harness/tap.h"

int tests_have_no_such_function(int x);
#define FUNCTIONS(X) X(compare, strcmp) X(absent, tests_have_no_such_function)
FUNCTIONS(TR_LIBRARY_LINKED)
struct functions {
    FUNCTIONS(TR_LIBRARY_MEMBER)
};
static const struct tr_library_function functions[] = { FUNCTIONS(TR_LIBRARY_FUNCTION) };

static void test_linked(void)
{
    struct functions found = { NULL, NULL };
    struct tr_error err = TR_ERROR_INIT;
    CHECK(functions[0].linked && !functions[1].linked);
    CHECK(tr_library_load("no-such-library.so.7", "this test", functions, 1, &found, &err) == TR_OK);
    CHECK(found.compare && found.compare("a", "a") == 0 && !found.absent);
}

static void test_absent(void)
{
    struct functions found = { NULL, NULL };
    struct tr_error err = TR_ERROR_INIT;
    CHECK(tr_library_load("no-such-library.so.7", "this test", functions, 2, &found, &err) == TR_USAGE);
    CHECK_STR(err.what, "this test needs no-such-library.so.7, which cannot be loaded");
    CHECK(tr_library_can_load());
}

static void test_loaded(void)
{
    static const struct tr_library_function from_libm[] = { { "cbrt", NULL }, { "fmax", NULL } };
    struct {
        double (*cbrt)(double);
        double (*fmax)(double, double);
    } found;
    struct tr_error err = TR_ERROR_INIT;
    if (!tr_library_find("libm.so.6", "cbrt"))
        return; /* the C library has another name here */
    CHECK(tr_library_load("libm.so.6", "this test", from_libm, 2, &found, &err) == TR_OK);
    CHECK(found.cbrt(8.0) == 2.0 && found.fmax(1.0, 3.0) == 3.0);
}

static const struct tap_test tests[] = {
    { "functions that the program is linked with are taken", test_linked },
    { "a library that cannot be loaded is named, and who needs it", test_absent },
    { "functions of a library that is loaded", test_loaded },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
