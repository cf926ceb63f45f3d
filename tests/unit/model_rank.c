/* SPDX-License-Identifier: MIT */
/* Ranks: as file names give them, and those of a stream in order; what traces say of their job. */
#include "analysis/clocks/tr_rank_set.h"
#include "harness/tap.h"
#include "model/tr_rank.h"
#include "model/tr_source_facts.h"
#include "unit/view_build.h"

static void rank_of(const char *path, int64_t want)
{
    int64_t rank = -1;
    bool found = tr_rank_from_name(path, &rank);
    if (found != (want >= 0) || (found && rank != want))
        printf("# %s: %lld\n", path, (long long)rank);
    CHECK(found == (want >= 0));
    CHECK(!found || rank == want);
}

static void test_ranks_of_names(void)
{
    rank_of("rank-3.json", 3);
    rank_of("trace_RANK_12.json.gz", 12);
    rank_of("a/rank0/x_rank7", 7);
    rank_of("rank-999999999", 999999999); /* nine digits are the most */
    rank_of("rank-1000000000", -1);
    rank_of("python.4711.5.json", 5);
    rank_of("python.4711.5.json.gz", 5);
    rank_of("my.app.4711.0.json", 0);
    rank_of("rank-4/trace.json", -1); /* only the last component counts */
    rank_of("crank3.json", -1);       /* part of another word */
    rank_of("frank.4711.5.json", 5);  /* ... which leaves the other form */
    rank_of("rank.json", -1);
    rank_of("rank--3", -1);
    rank_of("4711.5.json", -1); /* no name before the process */
    rank_of("a.b.5.json", -1);
    rank_of("a.1.2.jso", -1);
    rank_of("", -1);
    rank_of("/", -1);
}

static void mesh_of(const char *path, size_t size, const char *want)
{
    char out[64] = "x";
    size_t len = tr_mesh_from_name(path, out, size);
    CHECK(len == strlen(want));
    CHECK_STR(size ? out : "", want);
}

static void role_of(const char *name, const char *want)
{
    char out[TR_MESH_ROLE];
    CHECK_STR(tr_mesh_role(tr_mesh_axes_of_name(tr_str_of(name)), out), want);
}

static void test_roles(void)
{
    char out[TR_MESH_ROLE];
    role_of("mesh_tp", "tp");
    role_of("tp:0", "tp");
    role_of("dp_cp", "dp+cp");
    role_of("TENSOR_MODEL_PARALLEL_GROUP", "tp");
    role_of("PIPELINE_MODEL_PARALLEL_GROUP", "pp");
    role_of("DATA_PARALLEL_GROUP_WITH_CP", "dp+cp");
    role_of("EXPERT_MODEL_PARALLEL_GROUP", "ep");
    role_of("EXPERT_DATA_PARALLEL_GROUP", "dp"); /* copies of experts */
    role_of("TENSOR_AND_DATA_PARALLEL_GROUP", "tp+dp");
    role_of("default_pg", "");
    role_of("data_loader", ""); /* no group of the mesh */
    role_of("http", "");        /* part of another word */
    role_of(NULL, "");
    role_of("tp dp pp ep cp sp", "tp+dp+pp+ep+cp+sp");
    CHECK_STR(tr_mesh_role(tr_mesh_axes_between("TP=0 DP=1 PP=2", "TP=0 DP=2 PP=2"), out), "dp");
    CHECK_STR(tr_mesh_role(tr_mesh_axes_between("TP=0", "TP=0 EP=1"), out), "ep");
    CHECK(tr_mesh_place("TP=0 DP=12", "dp") == 12 && tr_mesh_place("TP=0 DP=12", "PP") == -1);
}

static void test_meshes(void)
{
    mesh_of("TP-0-DP-1-PP-0.json", 64, "TP=0 DP=1 PP=0");
    mesh_of("dp0_pp1_tp2", 64, "DP=0 PP=1 TP=2");
    mesh_of("ep_31.cp-7", 64, "EP=31 CP=7");
    mesh_of("tp2/trace.json", 64, "");
    mesh_of("http2.json", 64, "");
    mesh_of("tp", 64, "");
    mesh_of("tp-0-dp-1", 5, "TP=0"); /* as many as fit, no half of one */
    mesh_of("tp-0-dp-1", 4, "");
    mesh_of("tp-0-dp-1", 10, "TP=0 DP=1");
    mesh_of("tp-0", 0, "");
}

static void test_set(void)
{
    struct build t;
    struct tr_rank_set r = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    build_start(&t);
    source(&t, 7);
    source(&t, 0);
    source(&t, 7);
    source(&t, INT64_MAX);
    CHECK(tr_rank_set_init(&r, t.dict, NULL, &err) == TR_OK && r.n == 3 && r.n_sources == 4);
    CHECK(r.rank[0] == 0 && r.rank[1] == 7 && r.rank[2] == INT64_MAX);
    CHECK(r.of_source[0] == 1 && r.of_source[1] == 0 && r.of_source[2] == 1 && r.of_source[3] == 2);
    CHECK(tr_rank_set_find(&r, 7) == 1 && tr_rank_set_find(&r, 1) == r.n && tr_rank_set_find(&r, -1) == r.n);
    tr_rank_set_free(&r);
    build_end(&t);
}

static void test_set_without(void)
{
    struct build t;
    struct tr_rank_set none = { 0 }, unknown = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    build_start(&t);
    CHECK(tr_rank_set_init(&none, t.dict, NULL, &err) == TR_OK && none.n == 0 && none.n_sources == 0);
    CHECK(tr_rank_set_find(&none, 0) == 0);
    source(&t, 0);
    source(&t, -1);
    CHECK(tr_rank_set_init(&unknown, t.dict, NULL, &err) == TR_DAMAGED);
    CHECK(strstr(err.what, "source 1 has no rank") != NULL);
    tr_rank_set_free(&none);
    tr_rank_set_free(&unknown);
    build_end(&t);
}

/* What a label says: "RANK MESH 'TEXT' HOST, LENGTH", or nothing. */
static void label_is(const char *text, bool any, const char *want)
{
    struct tr_rank_label l;
    char have[400] = "";
    size_t n = strlen(text);
    char *exact = malloc(n + 1);
    memcpy(exact, text, n);
    if (tr_rank_from_label(exact, n, any, &l))
        snprintf(have, sizeof have, "%lld %s '%s' %s, %zu", (long long)l.rank, l.mesh, l.text, l.host, l.len);
    CHECK_STR(have, want);
    free(exact);
}

static void test_labels(void)
{
    label_is("[TP00-DP01] 500", false, "-1 TP=0 DP=1 'TP00-DP01' , 11");
    label_is("  [TP00-DP01] 500", false, "-1 TP=0 DP=1 'TP00-DP01' , 13");
    label_is("[rank 3] GPU 0", false, "3  'rank 3' , 8");
    label_is("   [rank 3]", false, "3  'rank 3' , 11");
    label_is("x[rank 3]", false, "3  'rank 3' , 8");
    label_is("[3] python", false, "");
    label_is("[3] python", true, "3  '3' , 3");
    label_is("[ab] python", false, "");
    label_is("[ab] python", true, "-1  'ab' , 4");
    label_is("[] python", true, "");
    label_is("[rank 3", false, "3  'rank 3' , 7");
    label_is("]rank 3[", true, "3  'rank 3' , 7");
    label_is("Rank 3: python", false, "3  'rank 3' , 6");
    label_is("RANK 3 HOST<node1>", false, "3  'rank 3' node1, 6");
    label_is("RANK 3 DEVICE<node1>[GPU] #0", false, "3  'rank 3' node1, 6");
    label_is("RANK 3 HOST<node1", false, "3  'rank 3' , 6");
    label_is("python", true, "");
    label_is("", true, "");
    label_is("[012345678901234567890123456789012345678901234567890123456789012] x", true,
             "-1  '012345678901234567890123456789012345678901234567890123456789012' , 65");
    label_is("[0123456789012345678901234567890123456789012345678901234567890123] x", true, "");
}

/* The facts of a source with these members, as they are and as they are kept. */
static void facts_are(const char *devices, const char *distributed, const char *device, int64_t world)
{
    struct tr_dict *d = tr_dict_new(), *kept = tr_dict_new();
    uint32_t keys[2], values[2], room[2 * TR_SOURCE_FACTS];
    struct tr_source s = { .header_keys = keys, .header_values = values, .n_header = 2 }, own;
    const uint32_t n_kept = (*device ? 1u : 0) + (world ? 1u : 0);
    keys[0] = tr_strtab_add(d->strings, "deviceProperties", 16);
    keys[1] = tr_strtab_add(d->strings, "distributedInfo", 15);
    values[0] = tr_strtab_add(d->strings, devices, strlen(devices));
    values[1] = tr_strtab_add(d->strings, distributed, strlen(distributed));
    CHECK(tr_source_device_name(d, &s).len == strlen(device));
    CHECK(!*device || tr_str_is(tr_source_device_name(d, &s), device));
    CHECK(tr_source_world_size(d, &s) == world);
    own = s;
    CHECK(tr_source_facts_keep(kept, &own, room, d, &s));
    CHECK(own.n_header == n_kept);
    CHECK(tr_source_device_name(kept, &own).len == strlen(device));
    CHECK(tr_source_world_size(kept, &own) == world);
    tr_dict_free(d);
    tr_dict_free(kept);
}

static void test_facts(void)
{
    facts_are("[{\"id\": 0, \"name\" : \"NVIDIA X\", \"a\": 1}, {\"name\": \"Y\"}]", "{\"rank\": 1, \"world_size\": 64}",
              "NVIDIA X", 64);
    facts_are("[]", "{\"world_size\":1000000000}", "", 1000000000);
    facts_are("[{\"name\": 7}]", "{\"world_size\": 1000000001}", "", 0);
    facts_are("[{\"name\": \"\"}]", "{\"world_size\": null}", "", 0);
    facts_are("[{\"name\": \"cut", "{\"world_size\": -3}", "", 0);
    facts_are("\"name\"", "\"world_size\"", "", 0);
    facts_are("", "12", "", 0);
}

static const struct tap_test tests[] = {
    { "what traces say of their job", test_facts },
    { "ranks of file names", test_ranks_of_names },
    { "roles of process groups", test_roles },
    { "mesh coordinates of file names, as many as fit", test_meshes },
    { "labels of processes", test_labels },
    { "ranks of a stream, ascending, each once", test_set },
    { "no sources, and one without rank", test_set_without },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
