// Argon2id, version 1.3 (RFC 9106), on one thread, in memory that the caller owns.
//
// Only the order of the blocks and the compression function are implemented here. BLAKE2b is libsodium's.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The instruction sets that the compression function is compiled for. All of them compute the same tags.
enum argon_kernel_level {
    /// What every processor of the architecture has: SSE2 on x86-64, Advanced SIMD on AArch64.
    ARGON_KERNEL_BASELINE = 0,
    /// x86-64 with AVX2.
    ARGON_KERNEL_AVX2 = 1,
    /// x86-64 with AVX-512 F, DQ and VL.
    ARGON_KERNEL_AVX512 = 2,
};

/// The number of levels, on every architecture.
enum { ARGON_KERNEL_LEVEL_COUNT = 3 };

enum argon_kernel_status {
    ARGON_KERNEL_OK = 0,
    /// RFC 9106, section 3.1 does not allow the parameters, or a length has no bytes.
    ARGON_KERNEL_BAD_PARAMETERS = 1,
    /// The matrix is smaller than `argon_kernel_matrix_size`, or not aligned to `ARGON_KERNEL_ALIGNMENT`.
    ARGON_KERNEL_BAD_MATRIX = 2,
    /// This processor or this build does not have the level.
    ARGON_KERNEL_NO_LEVEL = 3,
    /// libsodium reported an error.
    ARGON_KERNEL_NO_DIGEST = 4,
};

/// Bytes that the kernel reads. They may be NULL if there are none.
struct argon_kernel_bytes {
    const uint8_t *start;
    size_t count;
};

/// The inputs of RFC 9106, section 3.1. No count may exceed 2^32 - 1.
struct argon_kernel_input {
    struct argon_kernel_bytes password;
    /// At least 8 bytes.
    struct argon_kernel_bytes salt;
    /// K, the secret value.
    struct argon_kernel_bytes secret;
    /// X, the associated data.
    struct argon_kernel_bytes associated_data;
    /// m, in KiB: at least 8 for each lane.
    uint32_t memory;
    /// t, at least 1.
    uint32_t passes;
    /// p, from 1 to 2^24 - 1. One thread computes all lanes.
    uint32_t lanes;
};

/// The alignment of the matrix in bytes.
enum { ARGON_KERNEL_ALIGNMENT = 64 };

/// The bytes of the matrix for these parameters: `memory` KiB, rounded down to a multiple of 4 KiB for each lane.
/// 0 if RFC 9106, section 3.1 does not allow the parameters.
size_t argon_kernel_matrix_size(uint32_t memory, uint32_t lanes);

/// Whether this processor and this build have the level. Any integer may be asked for.
bool argon_kernel_has_level(int level);

/// The fastest level that `argon_kernel_has_level` allows.
enum argon_kernel_level argon_kernel_fastest_level(void);

/// The name of a level: "baseline", "avx2" or "avx512"; NULL for any other integer.
const char *argon_kernel_level_name(int level);

/// Computes a tag with the given level. Any number of threads may call this at once, each with its own matrix.
///
/// The matrix may contain anything before the call. Afterwards it contains data derived from the password: the caller
/// must wipe it. Copies elsewhere are wiped by this function. The tag is zeroed if the result is not `ARGON_KERNEL_OK`.
///
/// @param tag `tag_count` bytes, at least 4. It must not overlap an input or the matrix.
enum argon_kernel_status argon_kernel_hash(
    int level, const struct argon_kernel_input *input, void *matrix, size_t matrix_size, uint8_t *tag,
    size_t tag_count);

#ifdef __cplusplus
}
#endif
