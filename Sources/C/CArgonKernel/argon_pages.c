#define _GNU_SOURCE
#include "argon_pages.h"

#include <sodium.h>
#include <sys/mman.h>

enum { SMALL_PAGE = 4096, HUGE_PAGE = 2 << 20 };

size_t argon_pages_size(size_t size) {
    const size_t page = size < HUGE_PAGE ? SMALL_PAGE : HUGE_PAGE;
    return size > SIZE_MAX - page ? 0 : (size + page - 1) / page * page;
}

int argon_pages_map(uint8_t **memory, size_t size) {
    const size_t whole = argon_pages_size(size);
    if (whole == 0) return 1;
    const size_t spare = size < HUGE_PAGE ? 0 : HUGE_PAGE;
    uint8_t *const start =
        mmap(NULL, whole + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) return 1;
    uint8_t *aligned = start;
    if (spare > 0) {
        const size_t before = -(uintptr_t)start % HUGE_PAGE;
        aligned = start + before;
        if (before > 0) munmap(start, before);
        if (before < spare) munmap(aligned + whole, spare - before);
        // Without huge pages the hash is only slower.
        (void)madvise(aligned, whole, MADV_HUGEPAGE);
    }
    (void)madvise(aligned, whole, MADV_DONTDUMP);
    *memory = aligned;
    return 0;
}

void argon_pages_unmap(uint8_t *memory, size_t size) {
    sodium_memzero(memory, size);
    munmap(memory, argon_pages_size(size));
}

void argon_pages_rest(uint8_t *memory, size_t size) {
    sodium_memzero(memory, size);
    // A part of a huge page would split it, and is not worth giving back.
    if (size >= HUGE_PAGE) (void)madvise(memory, argon_pages_size(size), MADV_FREE);
}
