public import LatchkeyText

/// The arguments of one rule in a description. An argument that the rule does not read is refused as unknown.
public struct RuleArguments {
    private var reader: ObjectReader
    /// The fields that the rule refers to, with their positions. They are looked up after all fields are read.
    private(set) var references: [(key: FieldKey, place: TextPlace)] = []

    /// The program's check for common passwords.
    public let commonPasswords: CommonPasswords

    init(_ reader: ObjectReader, commonPasswords: CommonPasswords) {
        self.reader = reader
        self.commonPasswords = commonPasswords
    }

    /// The length under `length`, 0 to 1,048,576.
    public mutating func length() throws(FormDescriptionError.Problem) -> Int {
        try integer("length", in: 0...1_048_576)
    }

    /// The unit of a length under `unit`; the default is graphemes.
    public mutating func textUnit() throws(FormDescriptionError.Problem) -> TextUnit {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in
            try reader.name("unit", of: TextUnit.self) ?? .graphemes
        }
    }

    /// The key of another field of the form under `field`.
    public mutating func otherField() throws(FormDescriptionError.Problem) -> FieldKey {
        let place = reader.place(of: "field")
        let name = try text("field")
        references.append((FieldKey(rawValue: name), place))
        return FieldKey(rawValue: name)
    }

    /// The regular expression under `key`, in RE2 syntax.
    public mutating func pattern(_ key: String) throws(FormDescriptionError.Problem) -> Pattern {
        try pattern(key) { (source) throws(Pattern.Refusal) in try Pattern(source) }
    }

    /// The character class under `key`, in RE2 syntax with its brackets, as a pattern for strings of such characters.
    public mutating func characterClass(_ key: String) throws(FormDescriptionError.Problem) -> Pattern {
        try pattern(key) { (source) throws(Pattern.Refusal) in try Pattern(everyScalarIn: source) }
    }

    /// The string under `key`.
    public mutating func text(_ key: String) throws(FormDescriptionError.Problem) -> String {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in try reader.requiredString(key) }
    }

    /// The integer under `key`.
    public mutating func integer(
        _ key: String, in range: ClosedRange<Int>
    ) throws(FormDescriptionError.Problem) -> Int {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in try reader.requiredInteger(key, in: range) }
    }

    /// The integer under `key`, which must be one of `allowed`; nil if the key is missing.
    public mutating func integer(_ key: String, of allowed: [Int]) throws(FormDescriptionError.Problem) -> Int? {
        let written = try reader.unwrapped { (reader) throws(FormDescriptionError) in
            try reader.number(key, whole: true)
        }
        guard let text = written?.text else { return nil }
        guard let number = Int(text), allowed.contains(number) else {
            throw reader.refusal(of: key, .unknownName(key, text, allowed: allowed.map(String.init)))
        }
        return number
    }

    /// The boolean under `key`; nil if the key is missing.
    public mutating func bool(_ key: String) throws(FormDescriptionError.Problem) -> Bool? {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in try reader.bool(key) }
    }

    /// The string under `key`; nil if the key is missing.
    public mutating func optionalText(_ key: String) throws(FormDescriptionError.Problem) -> String? {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in try reader.string(key) }
    }

    /// The 1 to 256 strings under `key`.
    public mutating func texts(_ key: String) throws(FormDescriptionError.Problem) -> [String] {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in
            try reader.requiredStrings(key, maximum: 256)
        }
    }

    /// The 1 to 256 strings under `key`; nil if the key is missing.
    public mutating func optionalTexts(_ key: String) throws(FormDescriptionError.Problem) -> [String]? {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in try reader.strings(key, maximum: 256) }
    }

    /// The numbers under `minimum` and `maximum`, of any length and without exponents. Both are optional.
    ///
    /// - Parameter whole: whether to refuse decimal points.
    public mutating func bounds(whole: Bool) throws(FormDescriptionError.Problem) -> DecimalBounds {
        let (minimum, maximum) = try reader.unwrapped { (reader) throws(FormDescriptionError) in
            (try reader.number("minimum", whole: whole), try reader.number("maximum", whole: whole))
        }
        if let minimum, let maximum, maximum < minimum {
            throw reader.refusal(of: "maximum", .outOfOrder("maximum", lower: "minimum"))
        }
        return DecimalBounds(minimum: minimum, maximum: maximum)
    }

    /// The error to throw for an invalid value under `key`. It is reported at the position of that value.
    public mutating func refusal(
        of key: String, _ problem: FormDescriptionError.Problem
    ) -> FormDescriptionError.Problem {
        reader.refusal(of: key, problem)
    }

    private mutating func pattern(
        _ key: String, compile: (String) throws(Pattern.Refusal) -> Pattern
    ) throws(FormDescriptionError.Problem) -> Pattern {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in
            let source = try reader.requiredString(key)
            do throws(Pattern.Refusal) {
                return try compile(source)
            } catch {
                throw reader.error(.unusable(key, error), at: reader.place(of: key))
            }
        }
    }

    /// Creates a rule from the remaining members of `object`.
    ///
    /// - Returns: the rule, and the fields that it refers to.
    package static func rule(
        _ type: any DescribedRule.Type, from object: ObjectReader, commonPasswords: CommonPasswords
    ) throws(FormDescriptionError) -> (rule: any Rule, references: [(key: FieldKey, place: TextPlace)]) {
        var arguments = RuleArguments(object, commonPasswords: commonPasswords)
        let rule: any Rule
        do {
            rule = try type.init(arguments: &arguments)
        } catch {
            throw arguments.reader.placed(error)
        }
        try arguments.reader.finish()
        return (rule, arguments.references)
    }
}
