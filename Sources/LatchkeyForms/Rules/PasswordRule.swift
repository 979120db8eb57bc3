import LatchkeySecrets
import LatchkeyText

/// Holds for what may be set as a password: RFC 8265, section 4.2 (OpaqueString), at most 1024 bytes. It asks nothing of
/// the kinds of characters (NIST SP 800-63B-4, section 3.1.1.2 (5)).
public struct PasswordRule: DescribedRule {
    public static let name = "password"
    public let code = RuleFailure.Code.password

    /// In bytes of UTF-8, before it is prepared: room for 64 code points of any kind and far more.
    public static let maximumBytes = OpaqueString.maximumByteCount

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        switch OpaqueString.violation(in: value) {
        case nil: nil
        case .empty: RuleFailure(code: .required)
        case .tooLong: RuleFailure(code: .tooLong, values: ["maximum": .integer(Self.maximumBytes)])
        case .controlCharacter, .noncharacter, .unassigned, .notUTF8, .outOfMemory: RuleFailure(code: code)
        }
    }

    /// As it is hashed. A `String`, which cannot be wiped: nothing that keeps secrets asks for it.
    public func normalForm(of value: UTF8Span) -> String? {
        guard let prepared = try? OpaqueString.prepared(value) else { return nil }
        return prepared.withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return nil }
            return String(copying: text)
        }
    }
}
