// Memory for the matrix of an Argon2 hash: large pages, out of core dumps, wiped.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Maps zeroed memory. From 2 MiB on it is aligned to 2 MiB and asks for huge pages, which cost a fraction of the page
/// faults and of the address translation.
///
/// The types are those of libargon2's `allocate_cbk`.
///
/// @return 0, or 1 if the system has no memory or `size` is 0.
int argon_pages_map(uint8_t **memory, size_t size);

/// Wipes memory from `argon_pages_map` and unmaps it. The types are those of libargon2's `free_cbk`.
///
/// @param size the size that was mapped.
void argon_pages_unmap(uint8_t *memory, size_t size);

/// Wipes memory and leaves it mapped for the next hash. From 2 MiB on, the system takes the pages back if it runs short
/// of memory (`MADV_FREE`), so memory that waits for a hash does not count as used.
///
/// @param size at most the size that was mapped.
void argon_pages_rest(uint8_t *memory, size_t size);

/// The bytes that `argon_pages_map` takes for `size`: whole pages.
size_t argon_pages_size(size_t size);

#ifdef __cplusplus
}
#endif
