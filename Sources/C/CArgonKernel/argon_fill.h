// The compression function G and the filling of segments (RFC 9106, sections 3.4 to 3.6), for one instruction set.
//
// argon_kernel.c includes this file once for each level, with FILL(name) naming the level's functions and FILL_TARGET
// giving their attributes. Vectors have 512 bits; the compiler splits them where registers are shorter.

// Inlined even without optimisation, so that tests of a debug build are not slow.
#define FILL_INLINE FILL_TARGET static inline __attribute__((always_inline))

/// GB of RFC 9106, section 3.6, on eight columns of words at once.
FILL_INLINE void FILL(mix)(vector *a, vector *b, vector *c, vector *d) {
    *a += *b + TWICE_PRODUCT_OF_LOW_HALVES(*a, *b);
    *d = ROTATED_RIGHT(*d ^ *a, 32);
    *c += *d + TWICE_PRODUCT_OF_LOW_HALVES(*c, *d);
    *b = ROTATED_RIGHT(*b ^ *c, 24);
    *a += *b + TWICE_PRODUCT_OF_LOW_HALVES(*a, *b);
    *d = ROTATED_RIGHT(*d ^ *a, 16);
    *c += *d + TWICE_PRODUCT_OF_LOW_HALVES(*c, *d);
    *b = ROTATED_RIGHT(*b ^ *c, 63);
}

/// P of RFC 9106, section 3.6, on two rows. Each vector holds four words of one row, then four of the other.
FILL_INLINE void FILL(permute_rows)(vector *a, vector *b, vector *c, vector *d) {
    FILL(mix)(a, b, c, d);
    *b = SHUFFLED(*b, 1, 2, 3, 0, 5, 6, 7, 4);
    *c = SHUFFLED(*c, 2, 3, 0, 1, 6, 7, 4, 5);
    *d = SHUFFLED(*d, 3, 0, 1, 2, 7, 4, 5, 6);
    FILL(mix)(a, b, c, d);
    *b = SHUFFLED(*b, 3, 0, 1, 2, 7, 4, 5, 6);
    *c = SHUFFLED(*c, 2, 3, 0, 1, 6, 7, 4, 5);
    *d = SHUFFLED(*d, 1, 2, 3, 0, 5, 6, 7, 4);
}

/// P on two columns. Each vector holds two words of one column, two of the other, and the next two of both.
FILL_INLINE void FILL(permute_columns)(vector *a, vector *b, vector *c, vector *d) {
    FILL(mix)(a, b, c, d);
    *b = SHUFFLED(*b, 1, 4, 3, 6, 5, 0, 7, 2);
    *c = SHUFFLED(*c, 4, 5, 6, 7, 0, 1, 2, 3);
    *d = SHUFFLED(*d, 5, 0, 7, 2, 1, 4, 3, 6);
    FILL(mix)(a, b, c, d);
    *b = SHUFFLED(*b, 5, 0, 7, 2, 1, 4, 3, 6);
    *c = SHUFFLED(*c, 4, 5, 6, 7, 0, 1, 2, 3);
    *d = SHUFFLED(*d, 1, 4, 3, 6, 5, 0, 7, 2);
}

/// The last step of G for two columns: adds what `next` holds already.
FILL_INLINE void FILL(finish_columns)(vector state[16], union block *next, int pair) {
    FILL(permute_columns)(&state[pair], &state[4 + pair], &state[8 + pair], &state[12 + pair]);
    for (int i = pair; i < 16; i += 4) next->vectors[i] ^= state[i];
}

/// The first part of G: up to the first word of `next`, which chooses the reference block after this one.
///
/// `next` is G(previous, reference), XORed with its old content if `adding`.
FILL_INLINE void FILL(start_block)(
    vector state[16], const union block *previous, const union block *reference, union block *next, bool adding) {
    for (int i = 0; i < 16; i++) state[i] = previous->vectors[i] ^ reference->vectors[i];
    if (adding) {
        for (int i = 0; i < 16; i++) next->vectors[i] ^= state[i];
    } else {
        for (int i = 0; i < 16; i++) next->vectors[i] = state[i];
    }
    for (int i = 0; i < 16; i += 4) FILL(permute_rows)(&state[i], &state[i + 1], &state[i + 2], &state[i + 3]);
    FILL(finish_columns)(state, next, 0);
}

/// The rest of G.
FILL_INLINE void FILL(finish_block)(vector state[16], union block *next) {
    for (int pair = 1; pair < 4; pair++) FILL(finish_columns)(state, next, pair);
}

/// G with a zero block: RFC 9106, section 3.4.1.1 chains two of them to address blocks.
FILL_TARGET static __attribute__((noinline)) void FILL(compress_with_zero)(
    const union block *input, union block *output) {
    vector state[16];
    FILL(start_block)(state, &zero_block, input, output, false);
    FILL(finish_block)(state, output);
}

/// The next 128 pseudo-random words of a segment without data-dependent addresses.
FILL_TARGET static void FILL(next_addresses)(struct addresses *addresses) {
    addresses->input.words[position_of_word(6)] += 1;
    union block intermediate;
    FILL(compress_with_zero)(&addresses->input, &intermediate);
    FILL(compress_with_zero)(&intermediate, &addresses->output);
}

/// Fills one segment of `count` adjacent lanes, block by block in turn: while one lane is computed, the memory that
/// the others need next is on its way.
FILL_TARGET static void FILL(fill_segments)(const struct matrix *matrix, struct segment segment, uint32_t count) {
    const bool is_independent = segment.pass == 0 && segment.slice < 2;
    const uint32_t first = segment.pass == 0 && segment.slice == 0 ? 2 : 0;
    const uint32_t start = segment.slice * matrix->segment_length;
    struct addresses addresses[LANES_AT_ONCE];
    const union block *references[LANES_AT_ONCE];

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t lane = segment.lane + i;
        const union block *const blocks = matrix->blocks + (size_t)lane * matrix->lane_length;
        uint64_t random;
        if (is_independent) {
            start_addresses(&addresses[i], matrix, segment, lane);
            FILL(next_addresses)(&addresses[i]);
            random = addresses[i].output.words[position_of_word(first)];
        } else {
            random = blocks[(start == 0 ? matrix->lane_length : start) - 1].words[0];
        }
        references[i] = reference_block(matrix, segment, lane, first, random);
    }

    for (uint32_t index = first; index < matrix->segment_length; index++) {
        const uint32_t current = start + index;
        const uint32_t before = (current == 0 ? matrix->lane_length : current) - 1;
        const uint32_t following = index + 1;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t lane = segment.lane + i;
            union block *const blocks = matrix->blocks + (size_t)lane * matrix->lane_length;
            union block *const next = &blocks[current];
            vector state[16];
            FILL(start_block)(state, &blocks[before], references[i], next, segment.pass > 0);
            if (following < matrix->segment_length) {
                uint64_t random = next->words[0];
                if (is_independent) {
                    if (following % WORDS_IN_BLOCK == 0) FILL(next_addresses)(&addresses[i]);
                    random = addresses[i].output.words[position_of_word(following % WORDS_IN_BLOCK)];
                }
                references[i] = reference_block(matrix, segment, lane, following, random);
                prefetch(references[i]);
            }
            FILL(finish_block)(state, next);
        }
    }
}

#undef FILL_INLINE
#undef FILL
#undef FILL_TARGET
