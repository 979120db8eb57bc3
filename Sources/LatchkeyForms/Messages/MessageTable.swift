/// The one table that turns codes into sentences. Another language is another value.
///
/// A sentence may show values in braces: `{minimum}`, and `{field}` for the label of the field it is about.
public struct MessageTable: Sendable {
    private let sentences: [String: String]

    public init(sentences: [String: String]) { self.sentences = sentences }

    /// The sentence for `code` with its values; the code itself where the table has none, so that nothing is told as
    /// nothing.
    public func sentence(_ code: String, _ values: [String: RuleFailure.Value] = [:]) -> String {
        filled(sentences[code] ?? code, values)
    }

    /// The same table with more sentences, for the codes of a program's own rules (`rule.starts_with`), or with others in
    /// the place of its own.
    public func adding(_ sentences: [String: String]) -> MessageTable {
        MessageTable(sentences: self.sentences.merging(sentences) { _, new in new })
    }

    /// Whether the table has a sentence for `code`.
    public func has(_ code: String) -> Bool { sentences[code] != nil }

    /// Every code that the table has a sentence for.
    public var codes: Set<String> { Set(sentences.keys) }

    /// The names in braces in the sentence of `code`; nil where there is none.
    package func placeholders(of code: String) -> Set<String>? { sentences[code].flatMap { Self.placeholders(in: $0) } }

    /// The names in braces in `sentence`; nil where a brace stands around no name.
    package static func placeholders(in sentence: String) -> Set<String>? {
        var names: Set<String> = []
        var name: String?
        for character in sentence {
            switch (character, name) {
            case ("{", nil): name = ""
            case ("}", let closed?) where !closed.isEmpty:
                names.insert(closed)
                name = nil
            case ("{", _), ("}", _): return nil
            case (_, let open?): name = open + String(character)
            case (_, nil): break
            }
        }
        return name == nil ? names : nil
    }

    /// The sentence for a failure: the field's own message, where it has one, or the table's; of one code there may be a
    /// sentence for each `reason` or `advice` among the values.
    public func sentence(for failure: RuleFailure, in form: Form) -> String {
        let field = failure.field.flatMap(form.field)
        var values = failure.values
        values["field"] = .text(field?.label ?? failure.field?.rawValue ?? "")
        if let other = failure.other { values["other"] = .text(form.field(other)?.label ?? other.rawValue) }
        if let own = failure.rule.flatMap({ field?.messages[$0] }) { return filled(own, values) }
        let code = "rule." + failure.code.rawValue
        if case .text(let reason) = failure.values["reason"] ?? failure.values["advice"], has(code + "." + reason) {
            return sentence(code + "." + reason, values)
        }
        return sentence(code, values)
    }

    /// The sentence for a description that was refused, behind its file, line and column.
    public func sentence(for error: FormDescriptionError) -> String {
        let place = "\(error.file):\(error.place.line):\(error.place.column): "
        return place + sentence(error.problem.code, error.problem.values)
    }

    /// What the second answer of a field is called.
    func confirmationLabel(of label: String) -> String { sentence("form.again", ["field": .text(label)]) }

    /// What a value is called that belongs to no field.
    var valueLabel: String { sentence("form.value") }

    /// What a link to `type` says.
    public func linkLabel(to type: AccountType) -> String { sentence("link." + type.rawValue) }

    private func filled(_ sentence: String, _ values: [String: RuleFailure.Value]) -> String {
        var text = ""
        var rest = sentence[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            switch values[name] {
            case .integer(let number): text += String(number)
            case .text(let value): text += value
            case nil: text += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}

extension [[String: String]] {
    /// One table of all of them; no code is in two.
    var merged: [String: String] { reduce(into: [:]) { $0.merge($1) { first, _ in first } } }
}
