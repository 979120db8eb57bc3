import LatchkeyText

/// Holds for a username: RFC 8265, section 3.3 (UsernameCaseMapped), 1 to 64 code points of one script, without `@` and
/// not of the shape of an account's id, for one may log in by name, address or id.
public struct UsernameRule: DescribedRule {
    public static let name = "username"
    public let code = RuleFailure.Code.username

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard let prepared = normalForm(of: value), !ScriptMixture.isMixed(prepared) else {
            return RuleFailure(code: code)
        }
        return nil
    }

    /// As the profile prepares it; nil where it is no username. A name of two scripts has one all the same, for whoever
    /// has such a name from elsewhere must be found by it.
    public func normalForm(of value: UTF8Span) -> String? {
        guard let prepared = try? UsernameCaseMapped.prepared(value) else { return nil }
        let bytes = Array(prepared.utf8)
        return bytes.contains(UInt8(ascii: "@")) || Self.looksLikeID(bytes) ? nil : prepared
    }

    /// RFC 9562, section 4: 8, 4, 4, 4 and 12 hexadecimal digits with hyphens between.
    private static func looksLikeID(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index)
                ? byte == UInt8(ascii: "-") : Character(UnicodeScalar(byte)).isHexDigit
        }
    }
}
