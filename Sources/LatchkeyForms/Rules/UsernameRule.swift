import LatchkeyText

/// Holds for a username: RFC 8265, section 3.3 (UsernameCaseMapped), 1 to 64 code points of one script, without `@` and
/// not of the shape of an account's id, for one may log in by name, address or id.
public struct UsernameRule: DescribedRule {
    public static let name = "username"
    public let code = RuleFailure.Code.username

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        Self.isUsername(value) ? nil : RuleFailure(code: code)
    }

    /// As the profile prepares it; nil where it is no username. A name of two scripts has one all the same, for whoever
    /// has such a name from elsewhere must be found by it.
    public func normalForm(of value: UTF8Span) -> String? {
        guard let prepared = try? UsernameCaseMapped.prepared(value) else { return nil }
        return Self.isForSomethingElse(prepared.utf8Span.span) ? nil : prepared
    }

    private static func isUsername(_ value: UTF8Span) -> Bool {
        var value = value
        // Letters of ASCII are of one script, and its other signs of none; no copy is made of what most names are.
        if value.checkForASCII() {
            return UsernameCaseMapped.violation(in: value) == nil && !isForSomethingElse(value.span)
        }
        guard let prepared = try? UsernameCaseMapped.prepared(value) else { return false }
        return !isForSomethingElse(prepared.utf8Span.span) && !ScriptMixture.isMixed(prepared)
    }

    /// Whether it has an `@`, as addresses have, or the shape of an id (RFC 9562, section 4): 8, 4, 4, 4 and 12
    /// hexadecimal digits with hyphens between.
    private static func isForSomethingElse(_ bytes: Span<UInt8>) -> Bool {
        if bytes.indices.contains(where: { bytes[$0] == UInt8(ascii: "@") }) { return true }
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            switch index {
            case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
            default: bytes[index].isASCIIHexDigit
            }
        }
    }
}
