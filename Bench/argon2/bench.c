// Measures several Argon2id implementations in turn, for Bench/bench-hash.py.
//
// Usage: bench KIB PASSES LANES ROUNDS WARMUPS [NAME...]. Prints a line for each hash: the name, a tab, and the CPU
// time in milliseconds. The names are libargon2 (Debian's build, which allocates its own memory), libsodium, baseline,
// avx2 and avx512. The last three are the levels of Latchkey's kernel, with memory that stays mapped.
#define _GNU_SOURCE
#include <argon2.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "argon_kernel.h"
#include "argon_pages.h"

static uint32_t memory, passes, lanes;
static const uint8_t password[] = "correct horse battery", salt[] = "0123456789abcde";
static uint8_t tag[32];

static void check(bool is_ok, const char *what) {
    if (is_ok) return;
    fprintf(stderr, "bench: %s failed\n", what);
    exit(1);
}

static double cpu_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void libargon2(int level) {
    (void)level;
    argon2_context context = {
        .out = tag, .outlen = sizeof tag, .pwd = (uint8_t *)password, .pwdlen = sizeof password,
        .salt = (uint8_t *)salt, .saltlen = sizeof salt, .t_cost = passes, .m_cost = memory, .lanes = lanes,
        .threads = 1, .version = ARGON2_VERSION_13,
    };
    check(argon2id_ctx(&context) == ARGON2_OK, "libargon2");
}

static void libsodium(int level) {
    (void)level;
    check(
        crypto_pwhash(
            tag, sizeof tag, (const char *)password, sizeof password, salt, passes, (size_t)memory * 1024,
            crypto_pwhash_ALG_ARGON2ID13)
            == 0,
        "libsodium");
}

static void kernel(int level) {
    static uint8_t *matrix;
    const size_t size = argon_kernel_matrix_size(memory, lanes);
    if (matrix == NULL) check(argon_pages_map(&matrix, size) == 0, "mapping");
    const struct argon_kernel_input input = {
        .password = {password, sizeof password}, .salt = {salt, sizeof salt}, .memory = memory, .passes = passes,
        .lanes = lanes,
    };
    check(argon_kernel_hash(level, &input, matrix, size, tag, sizeof tag) == ARGON_KERNEL_OK, "the kernel");
    argon_pages_rest(matrix, size);
}

static const struct contestant {
    const char *name;
    void (*hash)(int level);
    int level;
} contestants[] = {
    {"libargon2", libargon2, 0},
    {"libsodium", libsodium, 0},
    {"baseline", kernel, ARGON_KERNEL_BASELINE},
    {"avx2", kernel, ARGON_KERNEL_AVX2},
    {"avx512", kernel, ARGON_KERNEL_AVX512},
};
enum { CONTESTANTS = sizeof contestants / sizeof *contestants };

/// Whether a contestant can run. libsodium only supports one lane, and has a minimum for passes and memory.
static bool can_run(const struct contestant *contestant) {
    if (contestant->hash == libsodium) {
        return lanes == 1 && (size_t)memory * 1024 >= crypto_pwhash_argon2id_MEMLIMIT_MIN;
    }
    return contestant->hash != kernel || argon_kernel_has_level(contestant->level);
}

int main(int argc, char **argv) {
    if (argc < 6 || sodium_init() < 0) return 64;
    memory = (uint32_t)strtoul(argv[1], NULL, 10);
    passes = (uint32_t)strtoul(argv[2], NULL, 10);
    lanes = (uint32_t)strtoul(argv[3], NULL, 10);
    const int rounds = atoi(argv[4]), warmups = atoi(argv[5]);
    uint8_t expected[sizeof tag];
    bool has_tag = false;
    for (int round = -warmups; round < rounds; round++) {
        for (int i = 0; i < CONTESTANTS; i++) {
            bool is_asked = argc == 6;
            for (int j = 6; j < argc; j++) is_asked |= strcmp(contestants[i].name, argv[j]) == 0;
            if (!is_asked || !can_run(&contestants[i])) continue;
            const double start = cpu_milliseconds();
            contestants[i].hash(contestants[i].level);
            const double time = cpu_milliseconds() - start;
            check(!has_tag || memcmp(tag, expected, sizeof tag) == 0, contestants[i].name);
            memcpy(expected, tag, sizeof tag);
            has_tag = true;
            if (round >= 0) printf("%s\t%.6f\n", contestants[i].name, time);
        }
    }
    return 0;
}
