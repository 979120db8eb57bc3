public import LatchkeyForms
import LatchkeyText

extension String {
    /// Hashes the UTF-8 bytes, because `String` treats two encodings of an accented letter as equal.
    func combineBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// A username in two forms: as typed, for display, and prepared, for comparison.
public struct Username: Hashable, Sendable {
    /// As the owner typed it.
    public let typed: String

    /// The name prepared with the UsernameCaseMapped profile (RFC 8265, section 3.3). Two names are equal if these
    /// bytes are equal.
    public let prepared: String

    /// Validates `typed` with `UsernameRule` and prepares it.
    ///
    /// - Throws: the rule's failure.
    public init(_ typed: String) throws(RuleFailure) {
        let rule = UsernameRule()
        if let failure = rule.check(typed.utf8Span, in: FormValues()) { throw failure }
        let prepared = rule.normalForm(of: typed.utf8Span) ?? typed
        // If both forms are equal, they share one string, because an import has many names in memory.
        self.prepared = prepared.hasSameBytes(as: typed) ? typed : prepared
        self.typed = typed
    }

    /// Prepares any string for comparison, even if it is not a valid username.
    public init(mapping typed: String) {
        prepared = UsernameCaseMapped.mapped(typed.utf8Span)
        self.typed = typed
    }

    /// Restores a username that was validated when it was stored.
    public init(storedAs typed: String, prepared: String) {
        self.typed = typed
        self.prepared = prepared
    }

    /// The reason why the name is unsafe for programs, for example as part of a path; nil if it is safe. Stores from
    /// older versions may contain unsafe names, but new accounts cannot have them.
    package var unsafety: RuleFailure? {
        let rule = AccountNameRule()
        if let failure = rule.check(typed.utf8Span, in: FormValues()) { return failure }
        return prepared.hasSameBytes(as: typed) ? nil : rule.check(prepared.utf8Span, in: FormValues())
    }

    /// Compares the prepared bytes.
    public static func == (left: Username, right: Username) -> Bool {
        left.prepared.hasSameBytes(as: right.prepared)
    }

    /// Hashes the prepared bytes.
    public func hash(into hasher: inout Hasher) {
        prepared.combineBytes(into: &hasher)
    }
}
