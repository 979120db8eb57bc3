public import LatchkeyForms

/// An e-mail address in both its forms: as typed, to which messages go, and folded, which is compared.
public struct EmailAddress: Hashable, Sendable {
    /// As its owner typed it. Messages go here, never to what somebody typed to recover the account.
    public let typed: String

    /// In NFC, with the ASCII letters of the whole in lower case. Two addresses are one where these bytes are.
    public let folded: String

    /// Checks `typed` with ``EmailRule`` and folds it.
    ///
    /// - Parameter international: whether it may go beyond ASCII (RFC 6531).
    /// - Throws: the rule's failure.
    public init(_ typed: String, international: Bool = false) throws(RuleFailure) {
        let rule = EmailRule(international: international)
        if let failure = rule.check(typed.utf8Span, in: FormValues()) { throw failure }
        let folded = rule.normalForm(of: typed.utf8Span) ?? typed
        // One text where they are the same: an import holds many.
        self.folded = folded.utf8.elementsEqual(typed.utf8) ? typed : folded
        self.typed = typed
    }

    /// For a store, which gives back what has been checked when it went in.
    public init(storedAs typed: String, folded: String) {
        self.typed = typed
        self.folded = folded
    }

    public static func == (left: EmailAddress, right: EmailAddress) -> Bool {
        left.folded.utf8.elementsEqual(right.folded.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        folded.combineBytes(into: &hasher)
    }
}
