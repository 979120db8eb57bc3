/// Converts codes into sentences of one language.
///
/// A sentence may contain placeholders, such as `{minimum}`, or `{field}` for the label of its field. Each module of
/// Latchkey adds its sentences to your program's table. Your program's sentences replace those with the same code.
public struct MessageTable: Sendable {
    /// The sentences of the program and the operator, which override those of the modules.
    private var own: [String: String]
    private let translation: Translation
    private var modules: [ModuleSentences]

    /// The English sentences of forms and rules. Other modules add their sentences.
    public static let english = MessageTable(.english)
    /// The Portuguese sentences of forms and rules. Other modules add their sentences.
    public static let portuguese = MessageTable(.portuguese)

    /// Creates a table with the sentences of forms and rules. Other modules add their sentences.
    public init(_ translation: Translation) {
        self.init(translation, own: [:], modules: [.forms, .descriptions])
    }

    /// Creates a table with only `sentences`. Modules add their sentences, translated by `translation`.
    public init(_ translation: Translation = .english, sentences: [String: String]) {
        self.init(translation, own: sentences, modules: [])
    }

    private init(_ translation: Translation, own: [String: String], modules: [ModuleSentences]) {
        self.translation = translation
        self.own = own
        self.modules = modules
    }

    /// The language of the translated sentences.
    public var language: Language { translation.language }

    /// A copy of the table with the sentences of `modules` for missing codes. Each module is added only once.
    package func completed(by modules: ModuleSentences...) -> MessageTable {
        var table = self
        for module in modules where !table.modules.contains(where: { $0.module == module.module }) {
            table.modules.append(module)
        }
        return table
    }

    /// The sentence for `code` if the program, the operator or the translation has one, otherwise nil.
    func replaced(_ code: String) -> String? { own[code] ?? translation.sentences[code] }

    private func found(_ code: String) -> String? {
        if let sentence = replaced(code) { return sentence }
        for module in modules {
            if let sentence = module.sentences[code] { return sentence }
        }
        return nil
    }

    /// The sentence for `code` with its placeholders filled in, or the code itself if the table has no such sentence.
    ///
    /// If the value `count` is 1 and the table has a sentence for `code` with the suffix `.one`, that sentence is used.
    public func sentence(_ code: String, _ values: [String: RuleFailure.Value] = [:]) -> String {
        let singular = values["count"] == .integer(1) ? singular(of: code) : nil
        return filled(singular ?? found(code) ?? code, values)
    }

    /// The singular for `code`. A custom or translated sentence without a singular replaces the other singulars too.
    private func singular(of code: String) -> String? {
        let singular = code + ".one"
        for sentences in [own, translation.sentences] {
            if sentences[singular] != nil || sentences[code] != nil { return sentences[singular] }
        }
        return found(singular)
    }

    /// A copy of the table with more sentences, for example for the codes of your rules (`rule.starts_with`). A
    /// sentence replaces the existing one with its code. It also replaces the singular (`.one`), unless `sentences`
    /// contains one.
    public func adding(_ sentences: [String: String]) -> MessageTable {
        var table = self
        for (code, sentence) in sentences {
            table.own[code] = sentence
            if sentences[code + ".one"] == nil { table.own[code + ".one"] = nil }
        }
        return table
    }

    /// A duration in words, in the largest unit in which it is a whole number of at least two: "24 hours", "90
    /// seconds".
    public func duration(seconds: Int) -> String {
        for (unit, length) in [("days", 86400), ("hours", 3600), ("minutes", 60)]
        where seconds % length == 0 && seconds / length > 1 {
            return sentence("duration." + unit, ["count": .integer(seconds / length)])
        }
        return sentence("duration.seconds", ["count": .integer(seconds)])
    }

    /// Whether the table has a sentence for `code`.
    public func has(_ code: String) -> Bool { found(code) != nil }

    /// All codes for which the table has a sentence.
    public var codes: Set<String> {
        modules.reduce(into: Set(own.keys)) { $0.formUnion($1.sentences.keys) }
    }

    /// The codes of the sentences that translations have.
    package var translatedCodes: Set<String> {
        modules.filter(\.isTranslated).reduce(into: []) { $0.formUnion($1.sentences.keys) }
    }

    /// The placeholders of the sentence for `code`, and those that another sentence may contain in addition: `{field}` for
    /// a rule, and `{count}` for a singular. Nil if the table has no such code.
    package func placeholders(of code: String) -> (required: Set<String>, optional: Set<String>)? {
        guard let names = found(code).flatMap({ Self.placeholders(in: $0) }) else { return nil }
        return (names, code.hasPrefix("rule.") ? ["field"] : code.hasSuffix(".one") ? ["count"] : [])
    }

    /// The names in braces in `sentence`; nil if there are braces that do not enclose a name.
    package static func placeholders(in sentence: String) -> Set<String>? {
        guard sentence.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else { return [] }
        var names: Set<String> = []
        var name: String.UnicodeScalarView?
        for scalar in sentence.unicodeScalars {
            switch (scalar, name) {
            case ("{", nil): name = String.UnicodeScalarView()
            case ("}", let closed?) where !closed.isEmpty:
                names.insert(String(closed))
                name = nil
            case ("{", _), ("}", _): return nil
            case (_, nil): break
            default: name?.append(scalar)
            }
        }
        return name == nil ? names : nil
    }

    /// The sentence for a failed rule: the field's custom message if there is one, otherwise the sentence in the table.
    ///
    /// A code may have several sentences, one for each value of `reason` or `advice`.
    public func sentence(for failure: RuleFailure, in form: Form) -> String {
        let field = failure.field.flatMap(form.field)
        var values = failure.values
        values["field"] = .text(field?.label ?? failure.field?.rawValue ?? "")
        if let other = failure.other { values["other"] = .text(form.field(other)?.label ?? other.rawValue) }
        if failure.code == .oneOf, let listed = field?.options.labelled(failure.values["values"]) {
            values["values"] = listed
        }
        if let own = failure.rule.flatMap({ field?.messages[$0] }) { return filled(own, values) }
        let code = "rule." + failure.code.rawValue
        if case .text(let reason) = failure.values["reason"] ?? failure.values["advice"], has(code + "." + reason) {
            return sentence(code + "." + reason, values)
        }
        return sentence(code, values)
    }

    /// The sentence for an error in a description, after the file, line and column.
    public func sentence(for error: FormDescriptionError) -> String {
        let place = "\(error.file):\(error.place.line):\(error.place.column): "
        return place + sentence(error.problem.code, error.problem.values)
    }

    /// The label of a field that repeats another field.
    func confirmationLabel(of label: String) -> String { sentence("form.again", ["field": .text(label)]) }

    /// The label of a link to `type`.
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

extension [FieldOption] {
    /// The options' values with their labels: a script types the values, and a person sees the labels. Nil if no label
    /// differs from its value, or if a rule has `listed` other values.
    fileprivate func labelled(_ listed: RuleFailure.Value?) -> RuleFailure.Value? {
        guard contains(where: { $0.label != $0.value }),
            listed == .text(map(\.value).joined(separator: ", "))
        else { return nil }
        return .text(map { $0.label == $0.value ? $0.value : "\($0.value) (\($0.label))" }.joined(separator: ", "))
    }
}
