#include "CRE2.h"

#include <new>

#include <re2/re2.h>

using re2::RE2;
using re2::StringPiece;

// The numbers that Swift knows these by.
static_assert(RE2::ErrorInternal == 1 && RE2::ErrorBadEscape == 2 && RE2::ErrorBadCharClass == 3);
static_assert(RE2::ErrorBadCharRange == 4 && RE2::ErrorMissingBracket == 5 && RE2::ErrorMissingParen == 6);
static_assert(RE2::ErrorUnexpectedParen == 7 && RE2::ErrorTrailingBackslash == 8 && RE2::ErrorRepeatArgument == 9);
static_assert(RE2::ErrorRepeatSize == 10 && RE2::ErrorRepeatOp == 11 && RE2::ErrorBadPerlOp == 12);
static_assert(RE2::ErrorBadUTF8 == 13 && RE2::ErrorBadNamedCapture == 14 && RE2::ErrorPatternTooLarge == 15);

struct latchkey_pattern {
    RE2 expression;
};

static StringPiece piece(const uint8_t *bytes, size_t count) {
    return count == 0 ? StringPiece("", 0) : StringPiece(reinterpret_cast<const char *>(bytes), count);
}

// No exception leaves these two: Swift has none, and the process would end.

latchkey_pattern *latchkey_pattern_compile(
    const uint8_t *source, size_t count, int64_t maximum_memory, int32_t *error) {
    try {
        RE2::Options options;
        options.set_log_errors(false);
        options.set_max_mem(maximum_memory);
        auto *pattern = new latchkey_pattern{{piece(source, count), options}};
        if (pattern->expression.ok()) return pattern;
        *error = pattern->expression.error_code();
        delete pattern;
    } catch (const std::bad_alloc &) {
        *error = RE2::ErrorPatternTooLarge;
    } catch (...) {
        *error = RE2::ErrorInternal;
    }
    return nullptr;
}

bool latchkey_pattern_matches(const latchkey_pattern *pattern, const uint8_t *text, size_t count) {
    try {
        return RE2::FullMatch(piece(text, count), pattern->expression);
    } catch (...) {
        return false;
    }
}

void latchkey_pattern_free(latchkey_pattern *pattern) {
    delete pattern;
}
