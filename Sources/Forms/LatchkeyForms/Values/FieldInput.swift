public import LatchkeySecrets

/// An unchecked value for a field, from a key press, a flag, a request or a file. The form decides whether the field
/// can store it, and then the field's rules check it.
public enum FieldInput: Sendable {
    /// Text for a field of any kind, which need not be UTF-8. It stays in locked memory until the form knows whether
    /// the field is secret.
    case bytes(Secret)
    /// A value for a field of kind `boolean`.
    case boolean(Bool)
    /// The values for a field of kind `choices`.
    case list([String])

    /// Text that is not secret.
    public static func text(_ text: String) -> FieldInput { .bytes(Secret(copying: text.utf8Span.span)) }

    /// A stored value.
    package init(_ value: FieldValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .boolean(let isTrue): self = .boolean(isTrue)
        case .list(let values): self = .list(values)
        }
    }
}

extension Secret {
    /// The text of a value that is not secret; nil if it is not UTF-8.
    package var textIfValid: String? {
        withBytes { bytes in unsafe bytes.withUnsafeBufferPointer { unsafe String(validating: $0, as: UTF8.self) } }
    }
}
