/// The arguments of one rule in a description. Each may be read once; what nobody has read is refused as unknown.
public struct RuleArguments {
    private var reader: ObjectReader
    /// The fields that the rule refers to, with their places, to be looked up when all fields are known.
    private(set) var references: [(key: FieldKey, place: TextPlace)] = []

    init(_ reader: ObjectReader) { self.reader = reader }

    /// A length under `length`, 0 to 1,048,576.
    public mutating func length() throws(FormDescriptionError.Problem) -> Int {
        try integer("length", in: 0...1_048_576)
    }

    /// What a length counts, under `unit`; graphemes where it is left out.
    public mutating func textUnit() throws(FormDescriptionError.Problem) -> TextUnit {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in
            try reader.name("unit", of: TextUnit.self) ?? .graphemes
        }
    }

    /// Another field of the same form, under `field`.
    public mutating func otherField() throws(FormDescriptionError.Problem) -> FieldKey {
        let place = reader.place(of: "field")
        let name = try text("field")
        references.append((FieldKey(rawValue: name), place))
        return FieldKey(rawValue: name)
    }

    /// A text under `key`.
    public mutating func text(_ key: String) throws(FormDescriptionError.Problem) -> String {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in try reader.requiredString(key) }
    }

    /// A whole number under `key`.
    public mutating func integer(
        _ key: String, in range: ClosedRange<Int>
    ) throws(FormDescriptionError.Problem) -> Int {
        try reader.unwrapped { (reader) throws(FormDescriptionError) in try reader.requiredInteger(key, in: range) }
    }

    func finish() throws(FormDescriptionError) { try reader.finish() }

    func placed(_ problem: FormDescriptionError.Problem) -> FormDescriptionError { reader.placed(problem) }
}
