public import LatchkeyForms
import LatchkeyText

/// An e-mail address in two forms: as typed, for sending, and folded, for comparing.
public struct EmailAddress: Hashable, Sendable {
    /// The address as its owner typed it. Messages are always sent to this address, not to the spelling that was
    /// entered for a recovery.
    public let typed: String

    /// The address in NFC, with ASCII letters in lower case. Two addresses are equal if these bytes are equal.
    public let folded: String

    /// Validates `typed` with `EmailRule` and folds it.
    ///
    /// - Parameters:
    ///   - international: whether the address may contain non-ASCII characters (RFC 6531).
    ///   - typed: the text as it was typed.
    /// - Throws: the rule's failure.
    public init(_ typed: String, international: Bool = false) throws(RuleFailure) {
        let rule = EmailRule(international: international)
        if let failure = rule.check(typed.utf8Span, in: FormValues()) { throw failure }
        let folded = rule.normalForm(of: typed.utf8Span) ?? typed
        // If both forms are equal, they share one string, because an import has many addresses in memory.
        self.folded = folded.hasSameBytes(as: typed) ? typed : folded
        self.typed = typed
    }

    /// Restores an address that was validated when it was stored.
    public init(storedAs typed: String, folded: String) {
        self.typed = typed
        self.folded = folded
    }

    /// The reason why the address is unsafe for programs, for example as part of a path; nil if it is safe.
    package var unsafety: RuleFailure? {
        for address in [typed, folded] {
            // The domain is safe, because `EmailRule` accepts only letters, digits, hyphens and dots.
            let local = String(address.prefix { $0 != "@" })
            if let failure = AccountNameRule().check(local.utf8Span, in: FormValues()) { return failure }
        }
        return nil
    }

    /// Compares the folded bytes.
    public static func == (left: EmailAddress, right: EmailAddress) -> Bool {
        left.folded.hasSameBytes(as: right.folded)
    }

    /// Hashes the folded bytes.
    public func hash(into hasher: inout Hasher) {
        folded.combineBytes(into: &hasher)
    }
}
