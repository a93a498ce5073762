// Disjoint sets as a forest (union-find): each member has a parent, a root itself.

#ifndef ESKER_DISJOINT_SETS_H
#define ESKER_DISJOINT_SETS_H

#include <stdint.h>

// The root of a member's set. Ways to roots are halved (Tarjan and van Leeuwen 1984, "Worst-case analysis of
// set union algorithms").
static inline uint32_t set_root(uint32_t *parent, uint32_t member) {
    while (parent[member] != member)
        member = parent[member] = parent[parent[member]];
    return member;
}

#endif
