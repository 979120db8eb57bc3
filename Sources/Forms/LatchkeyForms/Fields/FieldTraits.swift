import LatchkeyText

/// The properties of a field that ``FormValues`` needs. They are copied once from the protocol for speed.
struct FieldTraits: Sendable {
    let key: FieldKey
    let kind: FieldKind
    let maximumBytes: Int
    let isSecret: Bool
    let trims: Bool
    private let options: [String]

    init(_ field: any FormField) {
        key = field.apiKey
        kind = field.kind
        maximumBytes = field.maximumBytes
        isSecret = field.isSecret
        trims = (field as? any FormTextField)?.trims ?? true
        options = field.options.map(\.value)
    }

    /// The reason why the field cannot store `text`: it is too long or contains a NUL.
    func unusable(_ text: UTF8Span) -> RuleFailure? {
        if text.count > maximumBytes { return tooLong }
        return text.span.firstIndex(of: 0) == nil ? nil : RuleFailure(code: .nul)
    }

    var tooLong: RuleFailure { RuleFailure(code: .tooLong, values: ["maximum": .integer(maximumBytes)]) }

    /// The listed spelling of the option that matches `text`, ignoring case; `text` if no option matches.
    func spelling(of text: String) -> String {
        if options.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { return text }
        let trimmed = text.trimmed
        // Two options may differ only in case.
        if let exact = options.first(where: { $0 == trimmed }) { return exact }
        let folded = trimmed.lowercased()
        return options.first { $0.lowercased() == folded } ?? text
    }

    /// The values in a semicolon-separated string, spelled as in ``spellings(of:)``.
    func elements(of text: String) -> [String] {
        spellings(of: text.split(separator: FieldValue.separator).map { String($0) })
    }

    /// The listed spellings of `values` in the order of the options, without duplicates, followed by unknown values.
    func spellings(of values: [String]) -> [String] {
        var unknown: [String] = []
        var known: Set<String> = []
        for value in values {
            let spelling = spelling(of: value)
            if options.contains(spelling) {
                known.insert(spelling)
            } else if !spelling.trimmed.isEmpty, !unknown.contains(spelling) {
                unknown.append(spelling)
            }
        }
        return options.filter(known.contains) + unknown
    }
}

extension String {
    /// The string without white space at both ends.
    fileprivate var trimmed: String { String(decoding: Array(utf8)[utf8Span.trimmedRange], as: UTF8.self) }

    /// The string with LF line endings, as in a terminal. Browsers send CR LF.
    var withLineFeeds: String {
        guard utf8.contains(UInt8(ascii: "\r")) else { return self }
        var bytes: [UInt8] = []
        for byte in utf8 {
            if byte == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
