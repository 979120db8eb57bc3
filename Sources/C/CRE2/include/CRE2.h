// RE2 is C++. This is as much of it as patterns need, in C.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct latchkey_pattern latchkey_pattern;

/// Null where RE2 refuses the source; `error` is then an RE2::ErrorCode. Nothing is printed.
latchkey_pattern *latchkey_pattern_compile(
    const uint8_t *source, size_t count, int64_t maximum_memory, int32_t *error);

/// Whether the pattern matches the whole text. From any number of threads at once.
bool latchkey_pattern_matches(const latchkey_pattern *pattern, const uint8_t *text, size_t count);

void latchkey_pattern_free(latchkey_pattern *pattern);

#ifdef __cplusplus
}
#endif
