/// Accepts an ISBN (ISO 2108) with a valid check digit. Single spaces or hyphens may separate its parts.
public struct ISBNRule: DescribedRule {
    public static let name = "isbn"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.isbn

    /// The number of digits.
    public enum Version: Int, Sendable, CaseIterable {
        /// The format used until 2006. The check digit may be `X`, which means 10.
        case ten = 10
        /// The current format, which begins with 978 or 979.
        case thirteen = 13
    }

    /// The accepted version; nil for both.
    public let version: Version?

    /// Creates the rule.
    public init(version: Version? = nil) { self.version = version }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        version = try arguments.integer("version", of: Version.allCases.map(\.rawValue)).flatMap(Version.init)
    }

    /// Fails with ``RuleFailure/Code/isbn``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        Self.version(of: value.span).map { version == nil || version == $0 } == true ? nil : RuleFailure(code: code)
    }

    private static func version(of bytes: Span<UInt8>) -> Version? {
        let count = GroupedDigits.count(in: bytes) { $0.isASCIIDigit || isX($0) }
        guard let version = count.flatMap(Version.init) else { return nil }
        var sum = 0
        var start = 0
        var place = 0
        for index in bytes.indices where !GroupedDigits.isSeparator(bytes[index]) {
            let isX = isX(bytes[index])
            guard !isX || version == .ten && place == 9 else { return nil }
            let digit = isX ? 10 : bytes[index].digitValue
            switch version {
            case .ten: sum += digit * (10 - place)
            case .thirteen: sum += place.isMultiple(of: 2) ? digit : digit * 3
            }
            if place < 3 { start = start * 10 + digit }
            place += 1
        }
        switch version {
        case .ten: return sum.isMultiple(of: 11) ? version : nil
        case .thirteen: return sum.isMultiple(of: 10) && 978...979 ~= start ? version : nil
        }
    }

    private static func isX(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "x") }
}

extension RuleFailure.Code {
    /// The value is not a valid ISBN.
    public static let isbn = Self(rawValue: "isbn")
}
