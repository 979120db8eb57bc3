#include "argon_kernel.h"

#include <sodium.h>
#include <string.h>

// The loader has asked the processor already. The compiler's own function would ask again at the start of each program,
// and in a virtual machine the answers take 0.1 ms.
#if defined __x86_64__ && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define HAS_AVX2 CPU_FEATURE_ACTIVE(AVX2)
#define HAS_AVX512 (CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512VL))
#elif defined __x86_64__
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#define HAS_AVX512                                                                                                     \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
#endif

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Argon2 numbers its bytes from the little end, and so must the processor"
#endif
_Static_assert(sizeof(size_t) >= 8, "2^32 blocks need 64-bit sizes");

enum {
    BLOCK_SIZE = 1024,
    WORDS_IN_BLOCK = 128,
    SLICES = 4,
    /// Lanes that are computed in turn. Four hide the delay of the memory; more would only use up the cache.
    LANES_AT_ONCE = 4,
    ARGON2ID = 2,
    VERSION = 0x13,
};

typedef uint64_t vector __attribute__((vector_size(64)));

/// A block of the matrix, in an order of its own, so that neither half of G has to move words between vectors first.
///
/// `vectors[4 * i + j]` holds words 4j to 4j + 3 of row 2i, then the same of row 2i + 1, where a row is 16 words of RFC
/// 9106, section 3.5. Rows 2i and 2i + 1 are then four adjacent vectors, and columns 2j and 2j + 1 every fourth one.
union block {
    _Alignas(ARGON_KERNEL_ALIGNMENT) vector vectors[16];
    uint64_t words[WORDS_IN_BLOCK];
};
_Static_assert(sizeof(union block) == BLOCK_SIZE, "an array of blocks has no gaps");

/// The blocks of all lanes, one lane after the other.
struct matrix {
    union block *blocks;
    uint32_t lanes;
    uint32_t lane_length;
    uint32_t segment_length;
    uint32_t passes;
};

/// A part of a pass in which no lane reads from the same part of another.
struct segment {
    uint32_t pass;
    uint32_t slice;
    uint32_t lane;
};

/// The generator of pseudo-random words for segments without data-dependent addresses (RFC 9106, section 3.4.1.1).
struct addresses {
    union block input;
    union block output;
};

static const union block zero_block;

/// The index in `words` of word `number` of RFC 9106, section 3.5.
static inline uint32_t position_of_word(uint32_t number) {
    const uint32_t row = number / 16;
    const uint32_t column = number % 16;
    return (row / 2 * 4 + column / 4) * 8 + row % 2 * 4 + column % 4;
}

static void start_addresses(
    struct addresses *addresses, const struct matrix *matrix, struct segment segment, uint32_t lane) {
    const uint64_t words[] = {
        segment.pass, lane, segment.slice, (uint64_t)matrix->lanes * matrix->lane_length, matrix->passes, ARGON2ID,
    };
    memset(&addresses->input, 0, sizeof addresses->input);
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        addresses->input.words[position_of_word(i)] = words[i];
    }
}

/// Maps a pseudo-random word to the reference block for block `index` of a segment (RFC 9106, section 3.4.2).
static inline const union block *reference_block(
    const struct matrix *matrix, struct segment segment, uint32_t lane, uint32_t index, uint64_t random) {
    const bool is_first_pass = segment.pass == 0;
    uint32_t chosen = lane;
    if (matrix->lanes > 1 && !(is_first_pass && segment.slice == 0)) {
        chosen = (uint32_t)(random >> 32) % matrix->lanes;
    }
    // Finished segments, and of its own lane this segment too, always without the block just before.
    const uint32_t finished = (is_first_pass ? segment.slice : SLICES - 1) * matrix->segment_length;
    const uint32_t area = chosen == lane ? finished + index - 1 : finished - (index == 0);
    const uint64_t low = random & UINT32_MAX;
    const uint32_t back = (uint32_t)((area * (low * low >> 32)) >> 32);
    const uint32_t oldest =
        is_first_pass || segment.slice == SLICES - 1 ? 0 : (segment.slice + 1) * matrix->segment_length;
    uint64_t position = (uint64_t)oldest + area - 1 - back;
    if (position >= matrix->lane_length) position -= matrix->lane_length;
    return matrix->blocks + (size_t)chosen * matrix->lane_length + position;
}

static inline void prefetch(const union block *block) {
    for (int i = 0; i < 16; i++) __builtin_prefetch(&block->vectors[i]);
}

#define ROTATED_RIGHT(x, count) (((x) >> (count)) | ((x) << (64 - (count))))
#define TWICE_PRODUCT_OF_LOW_HALVES(x, y) (2 * (((x) & UINT32_MAX) * ((y) & UINT32_MAX)))
#define SHUFFLED(x, ...) __builtin_shufflevector((x), (x), __VA_ARGS__)

#define FILL(name) name##_baseline
#define FILL_TARGET
#include "argon_fill.h"

#ifdef __x86_64__
#define FILL(name) name##_avx2
#define FILL_TARGET __attribute__((target("avx2")))
#include "argon_fill.h"

#define FILL(name) name##_avx512
#define FILL_TARGET __attribute__((target("avx512f,avx512dq,avx512vl"))) FILL_LONG_VECTORS
#ifdef __clang__
#define FILL_LONG_VECTORS __attribute__((min_vector_width(512)))
#else
#define FILL_LONG_VECTORS
#endif
#include "argon_fill.h"
#endif

typedef void fill_segments(const struct matrix *matrix, struct segment segment, uint32_t count);

/// The function for a level; NULL if the processor or the build does not have it.
static fill_segments *fill_function(int level) {
    switch (level) {
    case ARGON_KERNEL_BASELINE: return fill_segments_baseline;
#ifdef __x86_64__
    case ARGON_KERNEL_AVX2: return HAS_AVX2 ? fill_segments_avx2 : NULL;
    case ARGON_KERNEL_AVX512: return HAS_AVX512 ? fill_segments_avx512 : NULL;
#endif
    default: return NULL;
    }
}

bool argon_kernel_has_level(int level) { return fill_function(level) != NULL; }

enum argon_kernel_level argon_kernel_fastest_level(void) {
    for (int level = ARGON_KERNEL_LEVEL_COUNT - 1; level > ARGON_KERNEL_BASELINE; level--) {
        if (argon_kernel_has_level(level)) return (enum argon_kernel_level)level;
    }
    return ARGON_KERNEL_BASELINE;
}

const char *argon_kernel_level_name(int level) {
    switch (level) {
    case ARGON_KERNEL_BASELINE: return "baseline";
    case ARGON_KERNEL_AVX2: return "avx2";
    case ARGON_KERNEL_AVX512: return "avx512";
    default: return NULL;
    }
}

/// A BLAKE2b digest in progress. A failure is remembered until the end.
struct digest {
    crypto_generichash_blake2b_state state;
    bool is_ok;
};

static void digest_start(struct digest *digest, size_t count) {
    digest->is_ok = crypto_generichash_blake2b_init(&digest->state, NULL, 0, count) == 0;
}

static void digest_add(struct digest *digest, const void *start, size_t count) {
    if (!digest->is_ok || count == 0) return;
    digest->is_ok = crypto_generichash_blake2b_update(&digest->state, start, count) == 0;
}

static void digest_add_number(struct digest *digest, uint32_t number) { digest_add(digest, &number, sizeof number); }

static void digest_add_counted(struct digest *digest, struct argon_kernel_bytes bytes) {
    digest_add_number(digest, (uint32_t)bytes.count);
    digest_add(digest, bytes.start, bytes.count);
}

static bool digest_end(struct digest *digest, uint8_t *out, size_t count) {
    const bool is_ok = digest->is_ok && crypto_generichash_blake2b_final(&digest->state, out, count) == 0;
    sodium_memzero(digest, sizeof *digest);
    return is_ok;
}

/// H' of RFC 9106, section 3.3: a digest of any length.
static bool long_digest(uint8_t *out, size_t count, const uint8_t *input, size_t input_count) {
    enum { WHOLE = crypto_generichash_blake2b_BYTES_MAX, HALF = WHOLE / 2 };
    struct digest digest;
    digest_start(&digest, count <= WHOLE ? count : WHOLE);
    digest_add_number(&digest, (uint32_t)count);
    digest_add(&digest, input, input_count);
    if (count <= WHOLE) return digest_end(&digest, out, count);

    uint8_t link[WHOLE];
    bool is_ok = digest_end(&digest, link, WHOLE);
    for (; is_ok && count > WHOLE; count -= HALF, out += HALF) {
        memcpy(out, link, HALF);
        const size_t next_count = count - HALF < WHOLE ? count - HALF : WHOLE;
        digest_start(&digest, next_count);
        digest_add(&digest, link, WHOLE);
        is_ok = digest_end(&digest, link, next_count);
    }
    if (is_ok) memcpy(out, link, count);
    sodium_memzero(link, sizeof link);
    return is_ok;
}

/// H0, and from it the first two blocks of each lane (RFC 9106, section 3.2, steps 1 to 4).
static bool start_lanes(const struct matrix *matrix, const struct argon_kernel_input *input, size_t tag_count) {
    struct {
        uint8_t digest[64];
        uint32_t column;
        uint32_t lane;
    } seed;
    struct digest digest;
    digest_start(&digest, sizeof seed.digest);
    digest_add_number(&digest, input->lanes);
    digest_add_number(&digest, (uint32_t)tag_count);
    digest_add_number(&digest, input->memory);
    digest_add_number(&digest, input->passes);
    digest_add_number(&digest, VERSION);
    digest_add_number(&digest, ARGON2ID);
    digest_add_counted(&digest, input->password);
    digest_add_counted(&digest, input->salt);
    digest_add_counted(&digest, input->secret);
    digest_add_counted(&digest, input->associated_data);
    bool is_ok = digest_end(&digest, seed.digest, sizeof seed.digest);

    uint64_t block[WORDS_IN_BLOCK];
    for (uint32_t lane = 0; is_ok && lane < matrix->lanes; lane++) {
        for (uint32_t column = 0; is_ok && column < 2; column++) {
            seed.column = column;
            seed.lane = lane;
            is_ok = long_digest((uint8_t *)block, sizeof block, (const uint8_t *)&seed, sizeof seed);
            union block *const first = &matrix->blocks[(size_t)lane * matrix->lane_length + column];
            for (uint32_t i = 0; i < WORDS_IN_BLOCK; i++) first->words[position_of_word(i)] = block[i];
        }
    }
    sodium_memzero(block, sizeof block);
    sodium_memzero(&seed, sizeof seed);
    return is_ok;
}

/// The tag: H' of the XOR of each lane's last block (RFC 9106, section 3.2, steps 7 and 8).
static bool finish_lanes(const struct matrix *matrix, uint8_t *tag, size_t tag_count) {
    uint64_t block[WORDS_IN_BLOCK] = {0};
    for (uint32_t lane = 0; lane < matrix->lanes; lane++) {
        const union block *const last = &matrix->blocks[((size_t)lane + 1) * matrix->lane_length - 1];
        for (uint32_t i = 0; i < WORDS_IN_BLOCK; i++) block[i] ^= last->words[position_of_word(i)];
    }
    const bool is_ok = long_digest(tag, tag_count, (const uint8_t *)block, sizeof block);
    sodium_memzero(block, sizeof block);
    return is_ok;
}

/// Overwrites the part of the stack where the compiler and libsodium may have left words of blocks.
static __attribute__((noinline)) void wipe_stack(void) {
    uint8_t used[sizeof(struct addresses) * LANES_AT_ONCE + 8192];
    sodium_memzero(used, sizeof used);
}

/// Rounds down to a multiple of four blocks for each lane (RFC 9106, section 3.2, step 2); 0 if not allowed.
static uint32_t lane_length(uint32_t memory, uint32_t lanes) {
    if (lanes < 1 || lanes > 0xFFFFFF || memory < 8 * lanes) return 0;
    return memory / (SLICES * lanes) * SLICES;
}

size_t argon_kernel_matrix_size(uint32_t memory, uint32_t lanes) {
    return (size_t)lane_length(memory, lanes) * lanes * BLOCK_SIZE;
}

static bool is_allowed(struct argon_kernel_bytes bytes, size_t least) {
    return bytes.count >= least && bytes.count <= UINT32_MAX && (bytes.start != NULL || bytes.count == 0);
}

enum argon_kernel_status argon_kernel_hash(
    int level, const struct argon_kernel_input *input, void *memory, size_t memory_size, uint8_t *tag,
    size_t tag_count) {
    if (tag == NULL || tag_count < 4 || tag_count > UINT32_MAX) return ARGON_KERNEL_BAD_PARAMETERS;
    memset(tag, 0, tag_count);
    const size_t size = argon_kernel_matrix_size(input->memory, input->lanes);
    if (size == 0 || input->passes < 1 || !is_allowed(input->password, 0) || !is_allowed(input->salt, 8)
        || !is_allowed(input->secret, 0) || !is_allowed(input->associated_data, 0)) {
        return ARGON_KERNEL_BAD_PARAMETERS;
    }
    if (memory == NULL || memory_size < size || (uintptr_t)memory % ARGON_KERNEL_ALIGNMENT != 0) {
        return ARGON_KERNEL_BAD_MATRIX;
    }
    fill_segments *const fill = fill_function(level);
    if (fill == NULL) return ARGON_KERNEL_NO_LEVEL;

    const uint32_t length = lane_length(input->memory, input->lanes);
    const struct matrix matrix = {
        .blocks = memory,
        .lanes = input->lanes,
        .lane_length = length,
        .segment_length = length / SLICES,
        .passes = input->passes,
    };
    bool is_ok = start_lanes(&matrix, input, tag_count);
    if (is_ok) {
        for (uint32_t pass = 0; pass < matrix.passes; pass++) {
            for (uint32_t slice = 0; slice < SLICES; slice++) {
                for (uint32_t lane = 0; lane < matrix.lanes; lane += LANES_AT_ONCE) {
                    const uint32_t left = matrix.lanes - lane;
                    fill(&matrix, (struct segment){pass, slice, lane}, left < LANES_AT_ONCE ? left : LANES_AT_ONCE);
                }
            }
        }
        is_ok = finish_lanes(&matrix, tag, tag_count);
    }
    wipe_stack();
    if (is_ok) return ARGON_KERNEL_OK;
    sodium_memzero(tag, tag_count);
    return ARGON_KERNEL_NO_DIGEST;
}
