public import LatchkeySecrets

/// The validated values of a form, by `apiKey`: the input of a flow. Not `Codable`, and prints none of its values.
public struct Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value of one field.
    public enum Value: Sendable {
        /// A value that is not secret.
        case text(String)
        /// A value in locked memory.
        case secret(Secret)
        /// The given bytes are not UTF-8 or too long. The service does the same work as for any wrong value, and
        /// refuses.
        case unusable
    }

    private let values: [FieldKey: Value]

    /// Creates credentials from values by field.
    public init(_ values: [FieldKey: Value]) { self.values = values }

    /// The value under `key`, or nil.
    public subscript(key: FieldKey) -> Value? { values[key] }

    /// The text under `key`; nil for a secret, an unusable value, or none.
    public func text(_ key: FieldKey) -> String? {
        guard case .text(let text) = values[key] else { return nil }
        return text
    }

    /// The secret under `key`; nil for a text, an unusable value, or none.
    public func secret(_ key: FieldKey) -> Secret? {
        guard case .secret(let secret) = values[key] else { return nil }
        return secret
    }

    /// The username of a new account; nil if the form has no such field or it is empty.
    public var newUsername: String? { text(.username).flatMap { $0.isEmpty ? nil : $0 } }

    /// The attributes of an account: every text that is not empty, without the username and the e-mail address.
    public var attributes: [String: String] { attributesWithEmpty.filter { !$0.value.isEmpty } }

    /// ``attributes`` together with the empty texts, which stand for attributes to remove.
    public var attributesWithEmpty: [String: String] {
        var attributes: [String: String] = [:]
        for case (let key, .text(let text)) in values where key != .username && key != .email {
            attributes[key.rawValue] = text
        }
        return attributes
    }

    /// A fixed text without any value.
    public var description: String { "<credentials>" }
    /// A fixed text without any value.
    public var debugDescription: String { "<credentials>" }
    /// An empty mirror, so that `dump` prints no value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
