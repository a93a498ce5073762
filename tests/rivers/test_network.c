// River networks: reaches, what flows into what, Strahler's order.

#include "support.h"

#include "rivers/network.h"

static RiverPoint at(double x) {
    return (RiverPoint){ .x = x };
}

// 1 and 2 meet at 3, flow by 4 to 6, where 5 joins; 7 is the mouth.
static void add_river(NetworkBuilder *builder) {
    const int links[][2] = { { 1, 3 }, { 3, 4 }, { 2, 3 }, { 5, 6 }, { 4, 6 }, { 6, 7 } };
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        const int from = network_node(builder, (uint64_t)links[i][0], at(links[i][0]));
        const int to = network_node(builder, (uint64_t)links[i][1], at(links[i][1]));
        network_link(builder, from, to);
    }
    network_link(builder, network_node(builder, 7, at(7)), NETWORK_MOUTH);
}

static const Reach *reach_from(const RiverNetwork *network, double x) {
    for (int i = 0; i < network->reach_count; i++)
        if (network->points[network->reaches[i].first].x == x)
            return &network->reaches[i];
    fail_msg("no reach begins at %g", x);
    return NULL;
}

static void reaches_run_from_confluence_to_confluence(void **state) {
    (void)state;
    NetworkBuilder builder = { 0 };
    Error error;
    add_river(&builder);
    RiverNetwork *network;
    assert_ok(network_finish(&builder, STATUS_OK, &on_threads(2), 0, &network, &error), error);
    assert_int_equal(network->reach_count, 5);
    const Reach *main_river = reach_from(network, 3), *last = reach_from(network, 6);
    assert_int_equal(reach_from(network, 1)->order, 1);
    assert_int_equal(main_river->order, 2);
    assert_int_equal(main_river->count, 3); // 3, 4, 6
    assert_int_equal(last->order, 2);       // an order 1 does not raise it
    assert_ptr_equal(&network->reaches[reach_from(network, 2)->downstream], main_river);
    assert_ptr_equal(&network->reaches[reach_from(network, 5)->downstream], last);
    assert_true(last->mouth && last->downstream < 0);
    assert_false(main_river->mouth);
    memory_free(network);
}

static void many_nodes_keep_their_links(void **state) {
    (void)state;
    enum { NODES = 20000 };
    NetworkBuilder builder = { 0 };
    Error error;
    network_reserve(&builder, 100, true);
    for (int i = 1; i < NODES; i++) // one long river, from the middle out
        for (int turn = 0; turn < 2; turn++) {
            const int node = turn ? NODES - i : i;
            network_link(&builder, network_node(&builder, (uint64_t)node, at(node)),
                         network_node(&builder, (uint64_t)node + 1, at(node + 1)));
        }
    RiverNetwork *network;
    assert_ok(network_finish(&builder, STATUS_OK, &on_threads(2), 0, &network, &error), error);
    assert_int_equal(network->reach_count, 1);
    assert_int_equal(network->point_count, NODES);
    for (int i = 0; i < NODES; i++)
        assert_true(network->points[i].x == i + 1);
    memory_free(network);
}

// A circle has no beginning and is left out; one with a river into it ends somewhere.
static void circles_end(void **state) {
    (void)state;
    NetworkBuilder builder = { 0 };
    Error error;
    int nodes[4];
    for (int i = 0; i < 4; i++)
        nodes[i] = network_node(&builder, 0, at(i));
    for (int i = 0; i < 3; i++)
        network_link(&builder, nodes[i], nodes[(i + 1) % 3]);
    network_link(&builder, nodes[3], nodes[0]);
    RiverNetwork *network;
    assert_ok(network_finish(&builder, STATUS_OK, &on_threads(2), 0, &network, &error), error);
    assert_int_equal(network->reach_count, 2); // into the circle, and once around
    memory_free(network);
}

static void want_of_memory_is_told(void **state) {
    (void)state;
    const size_t before = memory_in_use();
    for (long fails = 0; fails < 5; fails++) {
        NetworkBuilder builder = { 0 };
        Error error;
        memory_fail_after(fails);
        add_river(&builder);
        RiverNetwork *network;
        const Status status = network_finish(&builder, STATUS_OK, &on_threads(2), 0, &network, &error);
        memory_fail_after(-1);
        assert_int_equal(status, STATUS_MEMORY);
        assert_null(network);
        assert_int_equal(memory_in_use(), before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reaches_run_from_confluence_to_confluence),
        cmocka_unit_test(many_nodes_keep_their_links),
        cmocka_unit_test(circles_end),
        cmocka_unit_test(want_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
