public import LatchkeySecrets

/// The validated values of a form by `apiKey`, which are the input of a flow. It is not `Codable`, and its descriptions
/// never contain the values.
///
/// ```swift
/// answers["stay"]                 // FieldValue?: a string, a boolean or a list
/// answers.text("message")         // String?: of a text, a choice or a date
/// answers.secret(.password)       // Secret?
/// answers.values                  // [FieldKey: FieldValue]: everything that is not secret
/// ```
public struct Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value of one field.
    public enum Value: Sendable {
        /// A value that is not secret.
        case text(String)
        /// The value of a field of kind `boolean`.
        case boolean(Bool)
        /// The values chosen in a field of kind `choices`.
        case list([String])
        /// A value in locked memory.
        case secret(Secret)
        /// The condition of the field was not met. An update removes the value from the account.
        case hidden
        /// The input is too long or not UTF-8. The service refuses it, with the same work as for any wrong value.
        case unusable
    }

    private let entries: [FieldKey: Value]

    /// Creates credentials from values by field.
    public init(_ values: [FieldKey: Value]) { entries = values }

    /// The value for `key`; nil for a secret, for an unusable value, or if there is none.
    public subscript(key: FieldKey) -> FieldValue? {
        switch entries[key] {
        case .text(let text): .text(text)
        case .boolean(let isTrue): .boolean(isTrue)
        case .list(let values): .list(values)
        case .secret, .hidden, .unusable, nil: nil
        }
    }

    /// All values except secrets and unusable ones.
    public var values: [FieldKey: FieldValue] {
        Dictionary(uniqueKeysWithValues: entries.keys.compactMap { key in self[key].map { (key, $0) } })
    }

    /// The value for `key` of any kind, for code that passes all values on; nil if there is none.
    public func entry(_ key: FieldKey) -> Value? { entries[key] }

    /// The keys of all values, including secrets.
    package var keys: [FieldKey] { Array(entries.keys) }

    /// The string for `key`; nil for any other value, or if there is none.
    public func text(_ key: FieldKey) -> String? {
        guard case .text(let text) = entries[key] else { return nil }
        return text
    }

    /// The secret for `key`; nil for any other value, or if there is none.
    public func secret(_ key: FieldKey) -> Secret? {
        guard case .secret(let secret) = entries[key] else { return nil }
        return secret
    }

    /// The username of a new account; nil if it is empty or the form has no such field.
    public var newUsername: String? { text(.username).flatMap { $0.isEmpty ? nil : $0 } }

    /// The attributes of an account: every nonempty value except the username and the e-mail address.
    public var attributes: [String: FieldValue] { attributesWithEmpty.filter { !$0.value.isEmpty } }

    /// The ``attributes`` with the empty values, which remove attributes.
    public var attributesWithEmpty: [String: FieldValue] {
        var attributes: [String: FieldValue] = [:]
        for key in entries.keys where key != .username && key != .email {
            if case .hidden = entries[key] {
                attributes[key.rawValue] = .text("")
            } else {
                attributes[key.rawValue] = self[key]
            }
        }
        return attributes
    }

    /// A fixed string that contains no values.
    public var description: String { "<credentials>" }
    /// A fixed string that contains no values.
    public var debugDescription: String { "<credentials>" }
    /// An empty mirror, so that `dump` does not print values.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
