/* SPDX-License-Identifier: MIT */
/* A graph of two nodes of oneTBB, through which ten messages go. */
#define TBB_USE_PROFILING_TOOLS 1
#include <tbb/flow_graph.h>
int main()
{
    tbb::flow::graph g;
    tbb::flow::function_node<int, int> twice(g, tbb::flow::unlimited, [](int x) { return 2 * x; });
    tbb::flow::function_node<int> sum(g, tbb::flow::serial, [](int) {});
    tbb::flow::make_edge(twice, sum);
    for (int i = 0; i < 10; i++)
        twice.try_put(i);
    g.wait_for_all();
    return 0;
}
