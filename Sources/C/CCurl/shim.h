#include <curl/curl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call.
static inline CURLcode latchkey_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
// libcurl copies texts, but not CURLOPT_POSTFIELDS.
static inline CURLcode latchkey_curl_set_text(CURL *handle, CURLoption option, const char *text) {
    return curl_easy_setopt(handle, option, text);
}
static inline CURLcode latchkey_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}

// Takes or gives `count` times `size` bytes, and returns how many bytes it took or gave.
typedef size_t (*latchkey_curl_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode latchkey_curl_set_callback(
    CURL *handle, CURLoption function, latchkey_curl_callback callback, CURLoption data, void *context) {
    CURLcode code = curl_easy_setopt(handle, function, callback);
    return code == CURLE_OK ? curl_easy_setopt(handle, data, context) : code;
}

// Returns anything but 0 to end the transfer.
typedef int (*latchkey_curl_progress)(
    void *context, curl_off_t total, curl_off_t now, curl_off_t upload_total, curl_off_t upload_now);

static inline CURLcode latchkey_curl_set_progress(CURL *handle, latchkey_curl_progress progress, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context) : code;
}

// 0 if there is none.
static inline long latchkey_curl_response_code(CURL *handle) {
    long code = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}
// Null if there is none. Valid until the handle is used again.
static inline const char *latchkey_curl_content_type(CURL *handle) {
    char *type = 0;
    return curl_easy_getinfo(handle, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK ? type : 0;
}

// libcurl copies passwords, tokens and bodies, and frees the copies as they are. These functions wipe them first.
static inline void latchkey_curl_free(void *block) {
    if (!block) return;
    explicit_bzero(block, malloc_usable_size(block));
    free(block);
}
static inline void *latchkey_curl_resize(void *block, size_t size) {
    void *resized = malloc(size);
    if (!resized || !block) return resized;
    size_t old = malloc_usable_size(block);
    memcpy(resized, block, old < size ? old : size);
    latchkey_curl_free(block);
    return resized;
}
static inline CURLcode latchkey_curl_start(void) {
    return curl_global_init_mem(
        CURL_GLOBAL_DEFAULT, malloc, latchkey_curl_free, latchkey_curl_resize, strdup, calloc);
}
