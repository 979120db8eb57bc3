/// What a number must lie between, both ends included; each may be open.
public struct DecimalBounds: Sendable {
    public let minimum: DecimalNumber?
    public let maximum: DecimalNumber?

    public init(minimum: DecimalNumber? = nil, maximum: DecimalNumber? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// What a sentence may show.
    var values: [String: RuleFailure.Value] {
        var values: [String: RuleFailure.Value] = [:]
        values["minimum"] = minimum.map { .text($0.text) }
        values["maximum"] = maximum.map { .text($0.text) }
        return values
    }

    /// Why the number `text`, whose digits lie at `parts`, is not between them; nil where it is.
    func failure(of text: Span<UInt8>, _ parts: DecimalParts) -> RuleFailure? {
        if let minimum, minimum.order(of: text, parts) < 0 { return RuleFailure(code: .tooSmall, values: values) }
        if let maximum, maximum.order(of: text, parts) > 0 { return RuleFailure(code: .tooLarge, values: values) }
        return nil
    }
}
