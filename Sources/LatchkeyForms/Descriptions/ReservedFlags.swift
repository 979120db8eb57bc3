/// The flags that commands have of their own, which no field may take.
package enum ReservedFlags {
    package static let names: Set<String> = [
        "help", "version", "json", "quiet", "no-input", "no-color", "store", "forms", "config", "lang", "open",
        "generate", "no-password", "require-change", "id", "yes", "prune", "dry-run", "password-hash",
        "hash-memory", "hash-iterations", "hash-parallelism",
    ]
}
