import LatchkeyText

/// What a field's value may be, before any rule: looked up once by those who ask again and again.
struct FieldShape: Sendable {
    let key: FieldKey
    let maximumBytes: Int
    let isSecret: Bool
    let trims: Bool

    init(_ field: any FormTextField) {
        key = field.apiKey
        maximumBytes = field.maximumBytes
        isSecret = field.isSecret
        trims = field.trims
    }

    /// Why `text` cannot be a value of the field at all.
    func unusable(_ text: UTF8Span) -> RuleFailure? {
        if text.count > maximumBytes { return tooLong }
        return text.span.firstIndex(of: 0) == nil ? nil : RuleFailure(code: .nul)
    }

    var tooLong: RuleFailure { RuleFailure(code: .tooLong, values: ["maximum": .integer(maximumBytes)]) }
}
