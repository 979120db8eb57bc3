public import LatchkeyForms
import LatchkeyText

extension String {
    /// Its UTF-8: two spellings of an accented letter are one `String`, and not one name.
    func combineBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// A username in both its forms: as typed, which is shown, and prepared, which is compared.
public struct Username: Hashable, Sendable {
    /// As its owner typed it.
    public let typed: String

    /// As RFC 8265, section 3.3 (UsernameCaseMapped) prepares it. Two names are one where these bytes are.
    public let prepared: String

    /// Checks `typed` with ``UsernameRule`` and prepares it.
    ///
    /// - Throws: the rule's failure.
    public init(_ typed: String) throws(RuleFailure) {
        let rule = UsernameRule()
        if let failure = rule.check(typed.utf8Span, in: FormValues()) { throw failure }
        prepared = rule.normalForm(of: typed.utf8Span) ?? typed
        self.typed = typed
    }

    /// For comparing alone: what somebody typed, mapped as names are, whether or not it can be one.
    public init(mapping typed: String) {
        prepared = UsernameCaseMapped.mapped(typed.utf8Span)
        self.typed = typed
    }

    /// For a store, which gives back what has been checked when it went in.
    public init(storedAs typed: String, prepared: String) {
        self.typed = typed
        self.prepared = prepared
    }

    public static func == (left: Username, right: Username) -> Bool {
        left.prepared.utf8.elementsEqual(right.prepared.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        prepared.combineBytes(into: &hasher)
    }
}
