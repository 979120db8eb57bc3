/// Turns codes into sentences of one language.
///
/// A sentence may show values in braces, such as `{minimum}`, or `{field}` for the label of its field.
public struct MessageTable: Sendable {
    private let sentences: [String: String]

    public init(sentences: [String: String]) { self.sentences = sentences }

    /// The sentence for `code` with its values filled in, or the code itself if the table has no sentence for it.
    ///
    /// If the value `count` is 1 and the table has a sentence for `code` with `.one` behind it, uses that one.
    public func sentence(_ code: String, _ values: [String: RuleFailure.Value] = [:]) -> String {
        let singular = values["count"] == .integer(1) ? sentences[code + ".one"] : nil
        return filled(singular ?? sentences[code] ?? code, values)
    }

    /// The same table with more sentences, for example for the codes of your own rules (`rule.starts_with`). A sentence
    /// replaces the one with the same code, and also its singular (`.one`) unless `sentences` has one.
    public func adding(_ sentences: [String: String]) -> MessageTable {
        var merged = self.sentences
        for (code, sentence) in sentences {
            merged[code] = sentence
            if sentences[code + ".one"] == nil { merged[code + ".one"] = nil }
        }
        return MessageTable(sentences: merged)
    }

    /// A duration in words, in the largest unit that gives a whole number of at least two: "24 hours", "90 seconds".
    public func duration(seconds: Int) -> String {
        for (unit, length) in [("days", 86400), ("hours", 3600), ("minutes", 60)]
        where seconds % length == 0 && seconds / length > 1 {
            return sentence("duration." + unit, ["count": .integer(seconds / length)])
        }
        return sentence("duration.seconds", ["count": .integer(seconds)])
    }

    /// Whether the table has a sentence for `code`.
    public func has(_ code: String) -> Bool { sentences[code] != nil }

    /// Every code that the table has a sentence for.
    public var codes: Set<String> { Set(sentences.keys) }

    /// The names of the values that a sentence for `code` may show in braces; nil if the table has no such code.
    ///
    /// Every sentence of a rule may show `{field}`, whether or not the table's own sentence does.
    package func placeholders(of code: String) -> Set<String>? {
        guard let names = sentences[code].flatMap({ Self.placeholders(in: $0) }) else { return nil }
        return code.hasPrefix("rule.") ? names.union(["field"]) : names
    }

    /// The names in braces in `sentence`; nil if its braces do not enclose names.
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

    /// The sentence for a failed rule: the field's own message if it has one, otherwise the table's.
    ///
    /// A code may have several sentences, one for each `reason` or `advice` among the values.
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

    /// The sentence for an error in a description, after its file, line and column.
    public func sentence(for error: FormDescriptionError) -> String {
        let place = "\(error.file):\(error.place.line):\(error.place.column): "
        return place + sentence(error.problem.code, error.problem.values)
    }

    /// The label of the field that repeats another one.
    func confirmationLabel(of label: String) -> String { sentence("form.again", ["field": .text(label)]) }

    /// The text of a link to `type`.
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
    /// All tables in one. No code may be in two of them.
    var merged: [String: String] { reduce(into: [:]) { $0.merge($1) { first, _ in first } } }
}
