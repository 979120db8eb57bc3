/* Passes bytes between Unix sockets and delays them in each direction, as a network does.
 *
 *   cc -O2 -pthread -o delay-proxy delay-proxy.c
 *   delay-proxy LISTEN TARGET MICROSECONDS
 *
 * For each direction, one thread notes when bytes arrived, and another one sends them that much later. Bytes that arrive together leave
 * together.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static long delay;

struct chunk {
    struct chunk *next;
    struct timespec due;
    ssize_t size; /* 0 for the end */
    char bytes[];
};

struct direction {
    int from, to;
    pthread_mutex_t lock;
    pthread_cond_t some;
    struct chunk *first, **last;
};

static void *receive(void *argument) {
    struct direction *way = argument;
    static __thread char buffer[65536];
    for (;;) {
        ssize_t size = read(way->from, buffer, sizeof buffer);
        if (size < 0) size = 0;
        struct chunk *chunk = malloc(sizeof *chunk + size);
        if (!chunk) abort();
        chunk->next = NULL;
        chunk->size = size;
        memcpy(chunk->bytes, buffer, size);
        clock_gettime(CLOCK_MONOTONIC, &chunk->due);
        chunk->due.tv_nsec += delay * 1000;
        chunk->due.tv_sec += chunk->due.tv_nsec / 1000000000;
        chunk->due.tv_nsec %= 1000000000;
        pthread_mutex_lock(&way->lock);
        *way->last = chunk;
        way->last = &chunk->next;
        pthread_cond_signal(&way->some);
        pthread_mutex_unlock(&way->lock);
        if (size == 0) return NULL;
    }
}

static void *pass(void *argument) {
    struct direction *way = argument;
    prctl(PR_SET_TIMERSLACK, 1);
    for (;;) {
        pthread_mutex_lock(&way->lock);
        while (!way->first) pthread_cond_wait(&way->some, &way->lock);
        struct chunk *chunk = way->first;
        way->first = chunk->next;
        if (!way->first) way->last = &way->first;
        pthread_mutex_unlock(&way->lock);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &chunk->due, NULL);
        if (chunk->size == 0) {
            shutdown(way->to, SHUT_WR);
            free(chunk);
            return NULL;
        }
        for (ssize_t sent = 0; sent < chunk->size;) {
            ssize_t size = write(way->to, chunk->bytes + sent, chunk->size - sent);
            if (size <= 0) break;
            sent += size;
        }
        free(chunk);
    }
}

static void start(void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 512 << 10);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    if (pthread_create(&thread, &attributes, body, argument)) abort();
}

static struct sockaddr_un address(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return address;
}

int main(int count, char **words) {
    if (count != 4) return 64;
    signal(SIGPIPE, SIG_IGN);
    delay = atol(words[3]);
    struct sockaddr_un here = address(words[1]), there = address(words[2]);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, (void *)&here, sizeof here) || listen(listener, 256)) {
        perror(words[1]);
        return 1;
    }
    for (;;) {
        int client = accept(listener, NULL, NULL), server = socket(AF_UNIX, SOCK_STREAM, 0);
        if (client < 0 || connect(server, (void *)&there, sizeof there)) {
            close(client);
            close(server);
            continue;
        }
        for (int back = 0; back < 2; back++) {
            struct direction *way = calloc(1, sizeof *way);
            if (!way) abort();
            way->from = back ? server : client;
            way->to = back ? client : server;
            way->last = &way->first;
            pthread_mutex_init(&way->lock, NULL);
            pthread_cond_init(&way->some, NULL);
            start(receive, way);
            start(pass, way);
        }
    }
}
