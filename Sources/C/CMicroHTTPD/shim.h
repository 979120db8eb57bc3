// What Swift cannot call: MHD_start_daemon and MHD_get_connection_info are variadic.
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>

struct latchkey_http_callbacks {
    void *context;
    // Decides about a new connection by its address.
    MHD_AcceptPolicyCallback accept;
    // Called when a connection begins and ends.
    MHD_NotifyConnectionCallback connection;
    // Called with the request target as it was sent; returns the state of the request.
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback completed;
    // Called when libmicrohttpd is about to refuse a request itself.
    void (*refused)(void *context, unsigned status);
};

// Recognizes the announcement of a refusal among libmicrohttpd's log messages.
static inline void latchkey_http_logged(void *context, const char *format, va_list values) {
    const struct latchkey_http_callbacks *calls = (const struct latchkey_http_callbacks *)context;
    static const char refusal[] = "Error processing request (HTTP response code is %u";
    if (strncmp(format, refusal, sizeof refusal - 1) == 0) calls->refused(calls->context, va_arg(values, unsigned));
}

// Leaves the target as it was sent: percent-encoding is decoded, strictly, on our side.
static inline size_t latchkey_http_unescaped(void *context, struct MHD_Connection *connection, char *text) {
    (void)context, (void)connection;
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

// Creates a daemon for the connections of a listening socket, which it then owns; NULL if it fails. The caller runs the
// daemon with MHD_run. `calls` must live as long as the daemon. RequestGate requires a Host header, not the daemon.
static inline struct MHD_Daemon *latchkey_http_start(
    int socket, unsigned connections, unsigned idle_seconds, size_t memory, struct latchkey_http_callbacks *calls) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, calls->accept, calls->context, calls->handle,
        calls->context, MHD_OPTION_EXTERNAL_LOGGER, latchkey_http_logged, calls, MHD_OPTION_LISTEN_SOCKET, (MHD_socket)socket, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_STRICT_FOR_CLIENT, 0, MHD_OPTION_URI_LOG_CALLBACK, calls->target, calls->context,
        MHD_OPTION_UNESCAPE_CALLBACK, latchkey_http_unescaped, NULL, MHD_OPTION_NOTIFY_COMPLETED, calls->completed,
        calls->context, MHD_OPTION_NOTIFY_CONNECTION, calls->connection, calls->context, MHD_OPTION_END);
}

// The descriptor that is readable when the daemon has something to do, or -1.
static inline int latchkey_http_poll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

// A descriptor to wake a thread with, or -1 (eventfd(2)).
static inline int latchkey_http_wakeup(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// Makes the descriptor readable.
static inline void latchkey_http_wake(int wakeup) { (void)eventfd_write(wakeup, 1); }

// Makes the descriptor unreadable again.
static inline void latchkey_http_woken(int wakeup) {
    eventfd_t count;
    (void)eventfd_read(wakeup, &count);
}

// The socket of a connection, or -1.
static inline int latchkey_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// The peer's address, or NULL.
static inline const struct sockaddr *latchkey_http_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

// The size of the request line and the headers with their line ends, or 0.
static inline size_t latchkey_http_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}
