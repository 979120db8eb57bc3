public import LatchkeySecrets

/// The validated values of a form, by `apiKey`: the input of a flow. Not `Codable`, and prints none of its values.
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
        /// The condition of the field was not met. An update removes the account's value.
        case hidden
        /// The given bytes are not UTF-8 or too long. The service does the same work as for any wrong value, and
        /// refuses them.
        case unusable
    }

    private let values: [FieldKey: Value]

    /// Creates credentials from values by field.
    public init(_ values: [FieldKey: Value]) { self.values = values }

    /// The value under `key`, or nil.
    public subscript(key: FieldKey) -> Value? { values[key] }

    /// The keys of all values, secret ones included.
    package var keys: [FieldKey] { Array(values.keys) }

    /// The value under `key`; nil for a secret, an unusable value, or none.
    public func value(_ key: FieldKey) -> FieldValue? {
        switch values[key] {
        case .text(let text): .text(text)
        case .boolean(let isTrue): .boolean(isTrue)
        case .list(let values): .list(values)
        case .secret, .hidden, .unusable, nil: nil
        }
    }

    /// The string under `key`; nil for any other value, or none.
    public func text(_ key: FieldKey) -> String? {
        guard case .text(let text) = values[key] else { return nil }
        return text
    }

    /// The secret under `key`; nil for a string, an unusable value, or none.
    public func secret(_ key: FieldKey) -> Secret? {
        guard case .secret(let secret) = values[key] else { return nil }
        return secret
    }

    /// The username of a new account; nil if the form has no such field or it is empty.
    public var newUsername: String? { text(.username).flatMap { $0.isEmpty ? nil : $0 } }

    /// The attributes of an account: every nonempty value except the username and the e-mail address.
    public var attributes: [String: FieldValue] { attributesWithEmpty.filter { !$0.value.isEmpty } }

    /// ``attributes`` plus the empty values, which remove attributes.
    public var attributesWithEmpty: [String: FieldValue] {
        var attributes: [String: FieldValue] = [:]
        for key in values.keys where key != .username && key != .email {
            if case .hidden = values[key] {
                attributes[key.rawValue] = .text("")
            } else {
                attributes[key.rawValue] = value(key)
            }
        }
        return attributes
    }

    /// A fixed string without values.
    public var description: String { "<credentials>" }
    /// A fixed string without values.
    public var debugDescription: String { "<credentials>" }
    /// An empty mirror, so that `dump` prints no value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
