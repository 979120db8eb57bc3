import Glibc

/// The sanitizers of `scripts/sanitize`.
package enum Sanitizers {
    /// Whether this process runs under one. It then ends if an allocation fails, and has terabytes of shadow memory.
    package static let areActive = unsafe dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
}
