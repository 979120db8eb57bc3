/// The names that commands have of their own, which no field may take.
package enum ReservedFlags {
    /// The flags of the commands that also take a form's fields, and of all commands.
    package static let names: Set<String> = [
        "help", "version", "json", "quiet", "no-input", "no-color", "store", "forms", "config", "lang", "open",
        "generate", "no-password", "require-change", "id", "yes", "prune", "dry-run", "password-hash", "disabled",
        "created-at", "batch", "jobs", "no-rehash", "allow-downgrade", "accept-clock", "others", "all", "compromised",
        "send", "form", "jsonl", "policy", "source", "trace", "record",
    ]

    /// What an import knows of an account beside the fields of its form.
    package static let columns: Set<String> = ["id", "password_hash", "disabled", "require_change", "created_at"]

    /// Where a flag of this name could be mistaken: also for one of the three ways to give a secret.
    package static func contains(_ flag: String) -> Bool {
        names.contains(flag) || flag.hasPrefix("hash-") || ["-stdin", "-file", "-fd"].contains { flag.hasSuffix($0) }
    }
}
