public import LatchkeySecrets

/// The validated values of a form, by `apiKey`: what a flow is called with. Never `Codable`, never printed.
public struct Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One answer.
    public enum Value: Sendable {
        case text(String)
        case secret(Secret)
        /// What was given cannot be a value (its bytes are no UTF-8, or too many). Whoever is called does the same work
        /// as for any other, and refuses.
        case unusable
    }

    private let values: [FieldKey: Value]

    public init(_ values: [FieldKey: Value]) { self.values = values }

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

    /// The texts under other keys than the built-in flows': an account's attributes.
    public var attributes: [String: String] {
        var attributes: [String: String] = [:]
        for case (let key, .text(let text)) in values where key != .username && key != .email && !text.isEmpty {
            attributes[key.rawValue] = text
        }
        return attributes
    }

    /// The same with those that are empty: an attribute that is to be removed.
    public var attributesWithEmpty: [String: String] {
        var attributes: [String: String] = [:]
        for case (let key, .text(let text)) in values where key != .username && key != .email {
            attributes[key.rawValue] = text
        }
        return attributes
    }

    public var description: String { "<credentials>" }
    public var debugDescription: String { "<credentials>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
