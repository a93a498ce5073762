#include "settlement/kept_sites.h"

#include "core/memory.h"

enum { PART = MEMO_VALUE_MAX / sizeof(Site) }; // sites that are kept together

// Part -1 is how many sites there are.
static MemoKey key_of_part(const Settlement *settlement, const Region *region, int level, int bits,
                           int part) {
    const int numbers[] = { level, bits, part };
    const SettlementRules *rules = &settlement->rules;
    const double people[] = { rules->largest, rules->smallest, rules->ports };
    MemoKey key = memo_key((MemoKey){ 0 }, "sites", sizeof "sites");
    key = memo_key(memo_key(key, numbers, sizeof numbers), people, sizeof people);
    return memo_key(key, region->corners, sizeof region->corners);
}

void keep_sites(const Settlement *settlement, const Region *region, int level, int bits, const Sites *sites) {
    Site part[PART];
    int count = 0;
    for (int i = 0; i < sites->count; i++) {
        const GridBox box = region_box(region, bits, sites->at[i].face, SITES_MARGIN);
        if (!box_holds(&box, sites->at[i].x, sites->at[i].y))
            continue;
        part[count++ % PART] = sites->at[i];
        if (count % PART == 0)
            memo_add(settlement->memo, key_of_part(settlement, region, level, bits, count / PART - 1), part,
                     sizeof part);
    }
    if (count % PART > 0)
        memo_add(settlement->memo, key_of_part(settlement, region, level, bits, count / PART), part,
                 (size_t)(count % PART) * sizeof *part);
    memo_add(settlement->memo, key_of_part(settlement, region, level, bits, -1), &count, sizeof count);
}

Status find_kept_sites(const Settlement *settlement, const Region *region, int level, int bits, Sites *sites,
                       bool *found, Error *error) {
    int count;
    *found = memo_find(settlement->memo, key_of_part(settlement, region, level, bits, -1), &count,
                       sizeof count) != 0;
    if (!*found || count == 0)
        return STATUS_OK;
    Site *at = memory_new((size_t)count, sizeof *at, error);
    if (!at)
        return STATUS_MEMORY;
    for (int first = 0; first < count && *found; first += PART)
        *found =
            memo_find(settlement->memo, key_of_part(settlement, region, level, bits, first / PART),
                      at + first, sizeof *at * (size_t)(count - first < PART ? count - first : PART)) != 0;
    if (*found)
        *sites = (Sites){ count, count, at };
    else
        memory_free(at);
    return STATUS_OK;
}
