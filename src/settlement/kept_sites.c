#include "settlement/kept_sites.h"

#include "core/memory.h"

enum { PART = 16 }; // sites that are kept together
_Static_assert(PART * sizeof(Site) <= MEMO_VALUE_MAX, "a part can be kept");

// Part -1 is how many sites there are.
static MemoKey key_of_part(const Settlement *settlement, const Int128 corners[4], int level, int bits,
                           int part) {
    const int numbers[] = { level, bits, part };
    const SettlementRules *rules = &settlement->rules;
    const double people[] = { rules->largest, rules->smallest, rules->ports };
    MemoKey key = memo_key((MemoKey){ 0 }, "sites", sizeof "sites");
    key = memo_key(memo_key(key, numbers, sizeof numbers), people, sizeof people);
    return memo_key(key, corners, 4 * sizeof *corners);
}

void keep_sites(const Settlement *settlement, const Int128 corners[4], int level, int bits,
                const Sites *sites) {
    const GridBox box = grid_box(bits, corners, SITES_MARGIN);
    Site part[PART];
    int count = 0;
    for (int i = 0; i < sites->count; i++) {
        if (!box_holds(&box, sites->at[i].x, sites->at[i].y))
            continue;
        part[count++ % PART] = sites->at[i];
        if (count % PART == 0)
            memo_add(settlement->memo, key_of_part(settlement, corners, level, bits, count / PART - 1), part,
                     sizeof part);
    }
    if (count % PART > 0)
        memo_add(settlement->memo, key_of_part(settlement, corners, level, bits, count / PART), part,
                 (size_t)(count % PART) * sizeof *part);
    memo_add(settlement->memo, key_of_part(settlement, corners, level, bits, -1), &count, sizeof count);
}

Status find_kept_sites(const Settlement *settlement, const Int128 corners[4], int level, int bits,
                       Sites *sites, bool *found, Error *error) {
    int count;
    *found = memo_find(settlement->memo, key_of_part(settlement, corners, level, bits, -1), &count,
                       sizeof count) != 0;
    if (!*found || count == 0)
        return STATUS_OK;
    Site *at = memory_new((size_t)count, sizeof *at, error);
    if (!at)
        return STATUS_MEMORY;
    for (int first = 0; first < count && *found; first += PART)
        *found =
            memo_find(settlement->memo, key_of_part(settlement, corners, level, bits, first / PART),
                      at + first, sizeof *at * (size_t)(count - first < PART ? count - first : PART)) != 0;
    if (*found)
        *sites = (Sites){ count, count, at };
    else
        memory_free(at);
    return STATUS_OK;
}
