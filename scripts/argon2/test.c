// Tests the Argon2id kernel and its pages against RFC 9106 and libargon2.
//
// scripts/sanitize kernel builds and runs it. Usage: test [SETS [SEED]]. Prints one line for each test; the exit status is 1 if one fails.
#define _GNU_SOURCE
#include <argon2.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "argon_kernel.h"
#include "argon_pages.h"

static int failures;

#define EXPECT(condition, ...)                                  \
    do {                                                        \
        if (!(condition)) {                                     \
            failures++;                                         \
            printf("  %s:%d: %s", __FILE__, __LINE__, #condition); \
            printf(" " __VA_ARGS__);                            \
            putchar('\n');                                      \
        }                                                       \
    } while (0)

/// splitmix64, which gives the same sequence for the same seed on every machine.
static uint64_t state_of_random;
static uint64_t random_word(void) {
    uint64_t x = state_of_random += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}
static uint32_t random_between(uint32_t low, uint32_t high) {
    return low + (uint32_t)(random_word() % ((uint64_t)high - low + 1));
}
/// A separate block of exactly `count` bytes, so that AddressSanitizer detects a read past the end; NULL for 0 bytes.
static uint8_t *random_bytes(size_t count) {
    if (count == 0) return NULL;
    uint8_t *bytes = malloc(count);
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)random_word();
    return bytes;
}

static struct argon_kernel_bytes new_bytes(size_t count) {
    return (struct argon_kernel_bytes){random_bytes(count), count};
}

/// The tag that the kernel computes in a matrix of exactly the necessary size, filled with random words.
static enum argon_kernel_status kernel_tag(
    int level, const struct argon_kernel_input *input, uint8_t *tag, size_t tag_count) {
    const size_t size = argon_kernel_matrix_size(input->memory, input->lanes);
    uint8_t *matrix = aligned_alloc(ARGON_KERNEL_ALIGNMENT, size == 0 ? ARGON_KERNEL_ALIGNMENT : size);
    for (size_t i = 0; i + 8 <= size; i += 8 * 37) memcpy(matrix + i, &(uint64_t){random_word()}, 8);
    const enum argon_kernel_status status = argon_kernel_hash(level, input, matrix, size, tag, tag_count);
    free(matrix);
    return status;
}

static int libargon2_tag(const struct argon_kernel_input *input, uint8_t *tag, size_t tag_count) {
    argon2_context context = {
        .out = tag, .outlen = (uint32_t)tag_count,
        .pwd = (uint8_t *)input->password.start, .pwdlen = (uint32_t)input->password.count,
        .salt = (uint8_t *)input->salt.start, .saltlen = (uint32_t)input->salt.count,
        .secret = (uint8_t *)input->secret.start, .secretlen = (uint32_t)input->secret.count,
        .ad = (uint8_t *)input->associated_data.start, .adlen = (uint32_t)input->associated_data.count,
        .t_cost = input->passes, .m_cost = input->memory, .lanes = input->lanes, .threads = 1,
        .version = ARGON2_VERSION_13,
    };
    return argon2id_ctx(&context);
}

/// Compares every level that this processor supports with libargon2.
static void expect_same_tags(const struct argon_kernel_input *input, size_t tag_count, const char *name) {
    uint8_t *expected = malloc(tag_count), *tag = malloc(tag_count);
    const int code = libargon2_tag(input, expected, tag_count);
    EXPECT(code == ARGON2_OK, "%s: %s", name, argon2_error_message(code));
    for (int level = 0; level < ARGON_KERNEL_LEVEL_COUNT; level++) {
        if (!argon_kernel_has_level(level)) continue;
        memset(tag, 0xA5, tag_count);
        const enum argon_kernel_status status = kernel_tag(level, input, tag, tag_count);
        EXPECT(
            status == ARGON_KERNEL_OK && memcmp(tag, expected, tag_count) == 0,
            "%s, %s: m=%u t=%u p=%u, password %zu, salt %zu, secret %zu, data %zu, tag %zu", name,
            argon_kernel_level_name(level), input->memory, input->passes, input->lanes, input->password.count,
            input->salt.count, input->secret.count, input->associated_data.count, tag_count);
    }
    free(expected);
    free(tag);
}

static void published_vector(void) {
    uint8_t password[32], salt[16], secret[8], data[12], tag[32];
    memset(password, 1, sizeof password);
    memset(salt, 2, sizeof salt);
    memset(secret, 3, sizeof secret);
    memset(data, 4, sizeof data);
    const struct argon_kernel_input input = {
        {password, sizeof password}, {salt, sizeof salt}, {secret, sizeof secret}, {data, sizeof data}, 32, 3, 4};
    static const uint8_t expected[32] = {
        0x0d, 0x64, 0x0d, 0xf5, 0x8d, 0x78, 0x76, 0x6c, 0x08, 0xc0, 0x37, 0xa3, 0x4a, 0x8b, 0x53, 0xc9,
        0xd0, 0x1e, 0xf0, 0x45, 0x2d, 0x75, 0xb6, 0x5e, 0xb5, 0x25, 0x20, 0xe9, 0x6b, 0x01, 0xe6, 0x59,
    };
    for (int level = 0; level < ARGON_KERNEL_LEVEL_COUNT; level++) {
        if (!argon_kernel_has_level(level)) continue;
        EXPECT(kernel_tag(level, &input, tag, sizeof tag) == ARGON_KERNEL_OK);
        EXPECT(memcmp(tag, expected, sizeof tag) == 0, "%s", argon_kernel_level_name(level));
    }
}

static int set_count = 10000;

static void random_parameters(void) {
    for (int i = 0; i < set_count; i++) {
        const uint32_t lanes = i % 3 == 0 ? 1 : random_between(1, i % 50 == 1 ? 40 : 9);
        const uint32_t least = 8 * lanes;
        // Segments longer than 128 blocks need more than one address block.
        const uint32_t most = i % 40 == 0 ? 3000 * lanes : i % 5 == 0 ? least : least + 300;
        struct argon_kernel_input input = {
            .password = new_bytes(random_between(0, i % 7 == 0 ? 300 : 40)),
            .salt = new_bytes(random_between(8, i % 7 == 1 ? 200 : 32)),
            .secret = new_bytes(i % 2 == 0 ? 0 : random_between(0, 200)),
            .associated_data = new_bytes(i % 3 == 0 ? 0 : random_between(0, 300)),
            .memory = random_between(least, most),
            .passes = random_between(1, most > 1000 ? 3 : 6),
            .lanes = lanes,
        };
        // A tag of up to 64 bytes is one digest, and a longer one is a chain of digests.
        expect_same_tags(&input, random_between(4, i % 4 == 0 ? 400 : 70), "random");
        free((void *)input.password.start);
        free((void *)input.salt.start);
        free((void *)input.secret.start);
        free((void *)input.associated_data.start);
    }
}

static void usual_costs(void) {
    static const uint32_t costs[][3] = {{65536, 3, 1}, {65536, 3, 4}, {19456, 2, 1}, {65537, 1, 3}, {47104, 1, 1}};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        struct argon_kernel_input input = {
            .password = new_bytes(12), .salt = new_bytes(16),
            .memory = costs[i][0], .passes = costs[i][1], .lanes = costs[i][2],
        };
        expect_same_tags(&input, 32, "usual cost");
        free((void *)input.password.start);
        free((void *)input.salt.start);
    }
}

static void tag_lengths(void) {
    struct argon_kernel_input input = {
        .password = new_bytes(8), .salt = new_bytes(8), .memory = 8, .passes = 1, .lanes = 1};
    for (size_t count = 4; count <= 300; count++) expect_same_tags(&input, count, "tag length");
    expect_same_tags(&input, 100000, "tag length");
    free((void *)input.password.start);
    free((void *)input.salt.start);
}

static void refusals(void) {
    static uint8_t bytes[64], tag[32];
    static _Alignas(64) uint8_t matrix[64 * 1024];
    const struct argon_kernel_input good = {
        .password = {bytes, 8}, .salt = {bytes, 8}, .memory = 8, .passes = 1, .lanes = 1};
    const struct {
        const char *reason;
        struct argon_kernel_input input;
        size_t tag_count;
    } bad[] = {
        {"a tag of 3 bytes", good, 3},
        {"no pass", {good.password, good.salt, {0}, {0}, 8, 0, 1}, 32},
        {"no lane", {good.password, good.salt, {0}, {0}, 8, 1, 0}, 32},
        {"7 KiB", {good.password, good.salt, {0}, {0}, 7, 1, 1}, 32},
        {"15 KiB for 2 lanes", {good.password, good.salt, {0}, {0}, 15, 1, 2}, 32},
        {"2^24 lanes", {good.password, good.salt, {0}, {0}, UINT32_MAX, 1, 1 << 24}, 32},
        {"a salt of 7 bytes", {good.password, {bytes, 7}, {0}, {0}, 8, 1, 1}, 32},
        {"a password without bytes", {{NULL, 1}, good.salt, {0}, {0}, 8, 1, 1}, 32},
        {"a secret without bytes", {good.password, good.salt, {NULL, 1}, {0}, 8, 1, 1}, 32},
        {"data without bytes", {good.password, good.salt, {0}, {NULL, 1}, 8, 1, 1}, 32},
        {"a password of 4 GiB", {{bytes, (size_t)UINT32_MAX + 1}, good.salt, {0}, {0}, 8, 1, 1}, 32},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(tag, 1, sizeof tag);
        const enum argon_kernel_status status =
            argon_kernel_hash(0, &bad[i].input, matrix, sizeof matrix, tag, bad[i].tag_count);
        EXPECT(status == ARGON_KERNEL_BAD_PARAMETERS, "%s", bad[i].reason);
    }
    EXPECT(
        argon_kernel_hash(0, &good, matrix, sizeof matrix, tag, (size_t)UINT32_MAX + 1) == ARGON_KERNEL_BAD_PARAMETERS);
    EXPECT(argon_kernel_hash(0, &good, matrix, sizeof matrix, NULL, 32) == ARGON_KERNEL_BAD_PARAMETERS);
    EXPECT(argon_kernel_hash(0, &good, matrix, 8 * 1024 - 1, tag, 32) == ARGON_KERNEL_BAD_MATRIX);
    EXPECT(argon_kernel_hash(0, &good, matrix + 32, 8 * 1024, tag, 32) == ARGON_KERNEL_BAD_MATRIX);
    EXPECT(argon_kernel_hash(0, &good, NULL, 8 * 1024, tag, 32) == ARGON_KERNEL_BAD_MATRIX);
    memset(tag, 1, sizeof tag);
    EXPECT(argon_kernel_hash(3, &good, matrix, sizeof matrix, tag, sizeof tag) == ARGON_KERNEL_NO_LEVEL);
    EXPECT(sodium_is_zero(tag, sizeof tag));
    EXPECT(argon_kernel_hash(-1, &good, matrix, sizeof matrix, tag, 32) == ARGON_KERNEL_NO_LEVEL);
    EXPECT(argon_kernel_hash(0, &good, matrix, 8 * 1024, tag, 32) == ARGON_KERNEL_OK);
}

static void sizes(void) {
    EXPECT(argon_kernel_matrix_size(8, 1) == 8 << 10);
    EXPECT(argon_kernel_matrix_size(11, 1) == 8 << 10);
    EXPECT(argon_kernel_matrix_size(65536, 1) == 64 << 20);
    EXPECT(argon_kernel_matrix_size(65536, 3) == (size_t)65532 << 10);
    EXPECT(argon_kernel_matrix_size(UINT32_MAX, 1) == (size_t)(UINT32_MAX - 3) << 10);
    EXPECT(argon_kernel_matrix_size(UINT32_MAX, 0xFFFFFF) > 0);
    EXPECT(argon_kernel_matrix_size(UINT32_MAX, 1 << 24) == 0);
    EXPECT(argon_kernel_matrix_size(7, 1) == 0);
    EXPECT(argon_kernel_matrix_size(0, 0) == 0);
}

static void levels(void) {
    EXPECT(argon_kernel_has_level(ARGON_KERNEL_BASELINE));
    EXPECT(!argon_kernel_has_level(-1) && !argon_kernel_has_level(ARGON_KERNEL_LEVEL_COUNT));
    EXPECT(argon_kernel_has_level(argon_kernel_fastest_level()));
    for (int level = 0; level < ARGON_KERNEL_LEVEL_COUNT; level++) {
        EXPECT(argon_kernel_level_name(level) != NULL);
        printf("  %s: %s\n", argon_kernel_level_name(level), argon_kernel_has_level(level) ? "yes" : "no");
    }
    EXPECT(argon_kernel_level_name(-1) == NULL && argon_kernel_level_name(ARGON_KERNEL_LEVEL_COUNT) == NULL);
}

struct thread_task {
    int level;
    uint8_t tag[32];
};

static void *hash_on_thread(void *argument) {
    struct thread_task *task = argument;
    static const uint8_t bytes[16] = "0123456789abcde";
    const struct argon_kernel_input input = {
        .password = {bytes, 16}, .salt = {bytes, 16}, .memory = 512, .passes = 3, .lanes = 2};
    const size_t size = argon_kernel_matrix_size(512, 2);
    uint8_t *matrix;
    if (argon_pages_map(&matrix, size) != 0) return NULL;
    for (int i = 0; i < 20; i++) {
        (void)argon_kernel_hash(task->level, &input, matrix, size, task->tag, sizeof task->tag);
        argon_pages_rest(matrix, size);
    }
    argon_pages_unmap(matrix, size);
    return NULL;
}

static void threads(void) {
    struct thread_task tasks[6];
    pthread_t numbers[6];
    for (int i = 0; i < 6; i++) {
        tasks[i].level = argon_kernel_has_level(i % ARGON_KERNEL_LEVEL_COUNT) ? i % ARGON_KERNEL_LEVEL_COUNT : 0;
        pthread_create(&numbers[i], NULL, hash_on_thread, &tasks[i]);
    }
    for (int i = 0; i < 6; i++) pthread_join(numbers[i], NULL);
    for (int i = 1; i < 6; i++) EXPECT(memcmp(tasks[0].tag, tasks[i].tag, 32) == 0, "thread %d", i);
}

/// The rest of the line that begins with `name`, in the entry for the mapping of `address`.
static bool line_of_smaps(const void *address, const char *name, char rest[512]) {
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    bool is_here = false, found = false;
    while (!found && file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long start, end;
        if (sscanf(line, "%lx-%lx ", &start, &end) == 2) {
            is_here = start <= (unsigned long)address && (unsigned long)address < end;
        }
        found = is_here && strncmp(line, name, strlen(name)) == 0;
        if (found) strcpy(rest, line + strlen(name));
    }
    if (file != NULL) fclose(file);
    return found;
}

static bool has_flag_in_smaps(const void *address, const char *flag) {
    char flags[512];
    return line_of_smaps(address, "VmFlags:", flags) && strstr(flags, flag) != NULL;
}

static size_t lazily_freed(const void *address) {
    char amount[512];
    return line_of_smaps(address, "LazyFree:", amount) ? strtoul(amount, NULL, 10) << 10 : 0;
}

/// Whether the system shows the advice that a program has given. An emulator does not pass it on.
static bool shows_advice(void) {
    uint8_t *const memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, 4096, MADV_DONTDUMP);
    const bool is_shown = has_flag_in_smaps(memory, " dd");
    munmap(memory, 4096);
    return is_shown;
}

static void pages(void) {
    const bool has_advice = shows_advice();
    if (!has_advice) printf("  skipped: huge pages and core dumps, because this system does not show the flags\n");
    static const size_t sizes[] = {1, 4096, 8 << 10, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, 19 << 20, 64 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t size = sizes[i];
        uint8_t *memory = NULL;
        EXPECT(argon_pages_map(&memory, size) == 0);
        EXPECT((uintptr_t)memory % (size < 2 << 20 ? 4096 : 2 << 20) == 0, "%zu", size);
        EXPECT(argon_pages_size(size) >= size && argon_pages_size(size) - size < (2 << 20));
        EXPECT(sodium_is_zero(memory, size), "%zu", size);
        EXPECT(!has_advice || has_flag_in_smaps(memory, " dd"), "%zu bytes are in core dumps", size);
        EXPECT(
            !has_advice || size < 2 << 20 || has_flag_in_smaps(memory, " hg"), "%zu bytes do not ask for huge pages",
            size);
        memset(memory, 1, size);
        argon_pages_rest(memory, size);
        EXPECT(
            !has_advice || size < 2 << 20 || lazily_freed(memory) >= size, "%zu of %zu bytes", lazily_freed(memory),
            size);
        EXPECT(sodium_is_zero(memory, size), "%zu", size);
        memset(memory, 1, size);
        argon_pages_unmap(memory, size);
        unsigned char resident;
        EXPECT(mincore(memory, 1, &resident) != 0, "%zu bytes are still mapped", size);
    }
    uint8_t *memory = NULL;
    EXPECT(argon_pages_map(&memory, SIZE_MAX) == 1);
    EXPECT(argon_pages_map(&memory, SIZE_MAX / 2) == 1);
    EXPECT(argon_pages_size(SIZE_MAX) == 0);
}

// A sanitizer adds its own instructions to the frames that the stack test reads.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#ifndef SANITIZED
enum { OLD_STACK_WORDS = 1 << 13 };

static uint64_t old_stack[OLD_STACK_WORDS];
static uint8_t password_of_stack_test[16];

/// Copies the words that earlier calls have left on the stack.
static __attribute__((noinline)) void copy_old_stack(void) {
    volatile uint64_t old[OLD_STACK_WORDS];
    for (size_t i = 0; i < OLD_STACK_WORDS; i++) old_stack[i] = old[i];
}

/// Called with equal registers for each password, so that only words that depend on the password can differ.
static __attribute__((noinline)) void hash_and_copy_stack(int level) {
    static _Alignas(64) uint8_t matrix[1 << 20];
    static uint8_t salt[8], tag[32];
    const struct argon_kernel_input input = {
        .password = {password_of_stack_test, sizeof password_of_stack_test}, .salt = {salt, sizeof salt},
        .memory = 1024, .passes = 2, .lanes = 4};
    (void)argon_kernel_hash(level, &input, matrix, sizeof matrix, tag, sizeof tag);
    copy_old_stack();
}

/// Hashes two passwords of the same length. Words that differ afterwards depend on the password.
static void clean_stack(void) {
    static uint64_t stacks[3][OLD_STACK_WORDS];
    for (int level = 0; level < ARGON_KERNEL_LEVEL_COUNT; level++) {
        if (!argon_kernel_has_level(level)) continue;
        // Volatile, so that each iteration runs the same instructions. Only the last two iterations begin with the same
        // registers.
        for (volatile int i = 0; i < 3; i++) {
            password_of_stack_test[0] = i == 2;
            hash_and_copy_stack(level);
            memcpy(stacks[i], old_stack, sizeof old_stack);
        }
        int found = 0;
        for (size_t i = 0; i < OLD_STACK_WORDS; i++) found += stacks[1][i] != stacks[2][i];
        EXPECT(found == 0, "%s left %d words on the stack", argon_kernel_level_name(level), found);
    }
}
#endif

static void run(const char *name, void (*test)(void)) {
    const int before = failures;
    printf("%s\n", name);
    test();
    if (failures != before) printf("FAILED: %s\n", name);
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc > 1) set_count = atoi(argv[1]);
    state_of_random = argc > 2 ? strtoull(argv[2], NULL, 0) : 9106;
    if (sodium_init() < 0) return 1;
    printf("seed %llu\n", (unsigned long long)state_of_random);
    run("the fastest level is one that the processor has", levels);
    run("the tag of RFC 9106, section 5.3 is right at every level", published_vector);
    run("every tag length gives libargon2's tag", tag_lengths);
    run("the usual costs give libargon2's tags", usual_costs);
    run("random parameters give libargon2's tags", random_parameters);
    run("parameters outside RFC 9106 are refused", refusals);
    run("the matrix has the size of RFC 9106", sizes);
    run("threads do not disturb each other", threads);
    run("pages are aligned, zeroed, wiped and out of core dumps", pages);
#ifndef SANITIZED
    run("nothing that depends on the password stays on the stack", clean_stack);
#endif
    printf(failures == 0 ? "all tests passed\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
