#include "file/png_rows.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"

#include <string.h>

enum {
    BLOCK_BYTES = 128 << 10, // of rows, about
    HEAD = 2,                // bytes of a zlib stream before its first block
    TAIL = 4,                // after the last one
    FILTER_SUB = 1,
};

// --- memory ------------------------------------------------------------------------------------------------

static void *new_for_zlib(void *unused, unsigned count, unsigned size) {
    (void)unused;
    return memory_new(count, size, NULL);
}

static void free_for_zlib(void *unused, void *block) {
    (void)unused;
    memory_free(block);
}

static Status create_block(PackedBlock *block, const Packing *packing, size_t *most, Error *error) {
    const size_t row = packing->rows.bytes, all = (size_t)packing->block_rows * (row + 1);
    block->stream = (z_stream){ .zalloc = new_for_zlib, .zfree = free_for_zlib };
    if (deflateInit2(&block->stream, 1, Z_DEFLATED, -15, 9, Z_RLE) != Z_OK)
        return fail(error, STATUS_MEMORY, "not enough memory to write the PNG");
    *most = deflateBound(&block->stream, all) + HEAD + TAIL + 16; // and what ends a block
    block->raw = memory_new(all, 1, error);
    block->packed = block->raw ? memory_new(*most, 1, error) : NULL;
    block->row = block->packed ? memory_new(row, 1, error) : NULL;
    return block->row ? STATUS_OK : STATUS_MEMORY;
}

Status packing_create(Packing *packing, const PixelRows *rows, Error *error) {
    const size_t fitting = BLOCK_BYTES / (rows->bytes + 1);
    *packing = (Packing){ .rows = *rows, .block_rows = fitting < 1 ? 1 : (int)fitting };
    packing->blocks = (rows->height + packing->block_rows - 1) / packing->block_rows;
    Status status = STATUS_OK;
    for (int i = 0; i < min(packing->blocks, BLOCKS_MAX) && status == STATUS_OK; i++)
        status = create_block(&packing->at[i], packing, &packing->most, error);
    return status;
}

void packing_free(Packing *packing) {
    for (int i = 0; i < BLOCKS_MAX; i++) {
        PackedBlock *block = &packing->at[i];
        deflateEnd(&block->stream); // nothing where none was made
        memory_free(block->raw);
        memory_free(block->packed);
        memory_free(block->row);
    }
}

// --- blocks ------------------------------------------------------------------------------------------------

// Differences from the pixel to the left.
KERNEL static void filter_bytes(unsigned char *restrict out, const unsigned char *restrict row,
                                const unsigned char *restrict left, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = (unsigned char)(row[i] - left[i]);
}

static void fill_block(const PixelRows *rows, PackedBlock *block, int first, int end) {
    const size_t pixel = (size_t)rows->pixel_bytes;
    unsigned char *out = block->raw;
    for (int y = first; y < end; y++) {
        rows->fill(rows->context, y, block->row);
        *out++ = FILTER_SUB;
        memcpy(out, block->row, pixel);
        filter_bytes(out + pixel, block->row + pixel, block->row, rows->bytes - pixel);
        out += rows->bytes;
    }
    block->raw_bytes = (size_t)(out - block->raw);
    block->sum = adler32(adler32(0, NULL, 0), block->raw, (uInt)block->raw_bytes);
}

// The first block begins the stream; all but the last end with an empty one, which fills a byte.
static void pack_block(const Packing *packing, PackedBlock *block, int index) {
    const size_t head = index == 0 ? HEAD : 0;
    memcpy(block->packed, "\x78\x01", head);
    z_stream *stream = &block->stream;
    deflateReset(stream);
    stream->next_in = block->raw;
    stream->avail_in = (uInt)block->raw_bytes;
    stream->next_out = block->packed + head;
    stream->avail_out = (uInt)(packing->most - HEAD - TAIL);
    deflate(stream, index == packing->blocks - 1 ? Z_FINISH : Z_SYNC_FLUSH);
    block->packed_bytes = head + stream->total_out;
}

static void make_blocks(void *context, int first, int end) {
    Packing *packing = context;
    for (int i = first; i < end; i++) {
        const int index = packing->first + i, row = index * packing->block_rows;
        fill_block(&packing->rows, &packing->at[i], row,
                   min(row + packing->block_rows, packing->rows.height));
        pack_block(packing, &packing->at[i], index);
    }
}

// --- the stream --------------------------------------------------------------------------------------------

static void put_sum(PackedBlock *block, unsigned long sum) {
    for (int shift = 24; shift >= 0; shift -= 8)
        block->packed[block->packed_bytes++] = (unsigned char)(sum >> shift);
}

Status pixels_write(png_structp png, const Run *run, Packing *packing) {
    Run quiet = *run;
    quiet.progress = NULL; // of many loops
    unsigned long sum = adler32(0, NULL, 0);
    for (; packing->first < packing->blocks; packing->first += BLOCKS_MAX) {
        const int count = min(packing->blocks - packing->first, BLOCKS_MAX);
        const Status status = parallel_rows(&quiet, count, BLOCK_BYTES * 8.0, make_blocks, packing);
        if (status != STATUS_OK)
            return status;
        for (int i = 0; i < count; i++) {
            PackedBlock *block = &packing->at[i];
            sum = adler32_combine(sum, block->sum, (z_off_t)block->raw_bytes);
            if (packing->first + i == packing->blocks - 1)
                put_sum(block, sum);
            png_write_chunk(png, (png_const_bytep) "IDAT", block->packed, block->packed_bytes);
        }
    }
    return STATUS_OK;
}
