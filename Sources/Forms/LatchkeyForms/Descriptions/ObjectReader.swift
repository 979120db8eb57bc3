/// Reads the members of one JSON object by key and type, and refuses members that were not read.
package struct ObjectReader {
    /// The name of the file in error messages.
    package let file: String
    /// The position where the object begins.
    package let place: TextPlace
    /// The maximum size of a file in bytes. Descriptions and settings are written by hand.
    package static let maximumBytes = 65_536

    /// The members in file order.
    package let members: [JSONNode.Member]
    private var asked: [String] = []
    private var failure: FormDescriptionError?

    /// Reads a file that contains one object and is at most ``maximumBytes`` long.
    ///
    /// - Parameters:
    ///   - name: the name of the object in error messages.
    ///   - file: the name of the file in error messages.
    package init(reading bytes: [UInt8], named name: String, in file: String) throws(FormDescriptionError) {
        try self.init(reading: bytes.span, named: name, in: file)
    }

    /// - Parameter limit: the maximum size of the file in bytes.
    init(
        reading bytes: Span<UInt8>, named name: String, in file: String, limit: Int = maximumBytes
    ) throws(FormDescriptionError) {
        let start = TextPlace(line: 1, column: 1)
        guard bytes.count <= limit else {
            throw FormDescriptionError(file: file, place: start, problem: .tooLarge(maximum: limit))
        }
        let node: JSONNode
        do throws(JSONReader.Failure) {
            node = try JSONReader.read(bytes)
        } catch {
            throw FormDescriptionError(file: file, place: error.place, problem: .notJSON(error.problem))
        }
        try self.init(node, named: name, in: file)
    }

    /// Reads an element of the array under `name`.
    init(element node: JSONNode, of name: String, in file: String) throws(FormDescriptionError) {
        guard case .object = node.content else {
            throw FormDescriptionError(
                file: file, place: node.place, problem: .wrongElement(name, expected: "object"))
        }
        try self.init(node, named: name, in: file)
    }

    init(_ node: JSONNode, named name: String, in file: String) throws(FormDescriptionError) {
        self.file = file
        place = node.place
        guard case .object(let members) = node.content else {
            throw FormDescriptionError(file: file, place: node.place, problem: .wrongType(name, expected: "object"))
        }
        self.members = members
    }

    /// Reads members that were taken from an object at `place`.
    package init(_ members: [JSONNode.Member], at place: TextPlace, in file: String) {
        (self.members, self.place, self.file) = (members, place, file)
    }

    /// The error for a problem at `place`, by default the position of the object.
    package func error(_ problem: FormDescriptionError.Problem, at place: TextPlace? = nil) -> FormDescriptionError {
        FormDescriptionError(file: file, place: place ?? self.place, problem: problem)
    }

    /// The position of the value of `key`, or of the object if the key is missing.
    package func place(of key: String) -> TextPlace { member(key)?.value.place ?? place }

    // Compares bytes, because `String` would treat "apiKey" with a Kelvin sign as the same key.
    private func member(_ key: String) -> JSONNode.Member? {
        members.first { $0.key.utf8.elementsEqual(key.utf8) }
    }

    mutating func node(_ key: String) -> JSONNode? {
        asked.append(key)
        return member(key)?.value
    }

    /// The string under `key`, which must not be empty; nil if the key is missing.
    package mutating func string(_ key: String) throws(FormDescriptionError) -> String? {
        guard let node = node(key) else { return nil }
        guard case .string(let text) = node.content else {
            throw error(.wrongType(key, expected: "string"), at: node.place)
        }
        guard !text.isEmpty else { throw error(.empty(key), at: node.place) }
        return text
    }

    mutating func requiredString(_ key: String) throws(FormDescriptionError) -> String {
        guard let text = try string(key) else { throw error(.missingKey(key)) }
        return text
    }

    /// The object under `key`; nil if the key is missing.
    package mutating func object(_ key: String) throws(FormDescriptionError) -> ObjectReader? {
        guard let node = node(key) else { return nil }
        return try ObjectReader(node, named: key, in: file)
    }

    mutating func requiredInteger(_ key: String, in range: ClosedRange<Int>) throws(FormDescriptionError) -> Int {
        guard let number = try integer(key, in: range) else { throw error(.missingKey(key)) }
        return number
    }

    /// The integer under `key`, which must be in `range`; nil if the key is missing.
    package mutating func integer(
        _ key: String, in range: ClosedRange<Int>
    ) throws(FormDescriptionError) -> Int? {
        guard let node = node(key) else { return nil }
        guard case .number(let digits) = node.content, !digits.contains(where: { ".eE".contains($0) }) else {
            throw error(.wrongType(key, expected: "integer"), at: node.place)
        }
        guard let number = Int(digits), range.contains(number) else {
            throw error(.outOfRange(key, minimum: range.lowerBound, maximum: range.upperBound), at: node.place)
        }
        return number
    }

    /// The number under `key`, with any number of digits; nil if the key is missing.
    mutating func number(_ key: String, whole: Bool) throws(FormDescriptionError) -> DecimalNumber? {
        guard let node = node(key) else { return nil }
        guard case .number(let digits) = node.content, !whole || !digits.contains(where: { ".eE".contains($0) }) else {
            throw error(.wrongType(key, expected: whole ? "integer" : "number"), at: node.place)
        }
        guard let number = DecimalNumber(digits) else { throw error(.exponent(key), at: node.place) }
        return number
    }

    /// The boolean under `key`; nil if the key is missing.
    package mutating func bool(_ key: String) throws(FormDescriptionError) -> Bool? {
        guard let node = node(key) else { return nil }
        guard case .bool(let value) = node.content else {
            throw error(.wrongType(key, expected: "boolean"), at: node.place)
        }
        return value
    }

    mutating func array(_ key: String, maximum: Int) throws(FormDescriptionError) -> [JSONNode]? {
        guard let node = node(key) else { return nil }
        guard case .array(let elements) = node.content else {
            throw error(.wrongType(key, expected: "array"), at: node.place)
        }
        guard elements.count <= maximum else { throw error(.tooMany(key, maximum: maximum), at: node.place) }
        return elements
    }

    /// The array of 1 to `maximum` nonempty strings under `key`.
    mutating func requiredStrings(_ key: String, maximum: Int) throws(FormDescriptionError) -> [String] {
        guard let texts = try strings(key, maximum: maximum) else { throw error(.missingKey(key)) }
        return texts
    }

    /// Like ``requiredStrings(_:maximum:)``; nil if the key is missing.
    package mutating func strings(_ key: String, maximum: Int) throws(FormDescriptionError) -> [String]? {
        guard let nodes = try array(key, maximum: maximum) else { return nil }
        guard !nodes.isEmpty else { throw error(.empty(key), at: place(of: key)) }
        var texts: [String] = []
        for node in nodes {
            guard case .string(let text) = node.content else {
                throw error(.wrongElement(key, expected: "string"), at: node.place)
            }
            guard !text.isEmpty else { throw error(.empty(key), at: node.place) }
            texts.append(text)
        }
        return texts
    }

    /// The string under `key`, converted to a case of `type`; nil if the key is missing.
    package mutating func name<Name: RawRepresentable<String> & CaseIterable>(
        _ key: String, of type: Name.Type
    ) throws(FormDescriptionError) -> Name? {
        guard let text = try string(key) else { return nil }
        guard let name = Name(rawValue: text) else {
            throw error(.unknownName(key, text, allowed: Name.allCases.map(\.rawValue)), at: place(of: key))
        }
        return name
    }

    /// Refuses the first member in file order that was not read.
    package func finish() throws(FormDescriptionError) {
        let unknown = members.first { member in !asked.contains { $0.utf8.elementsEqual(member.key.utf8) } }
        guard let unknown else { return }
        throw error(.unknownKey(unknown.key, allowed: asked), at: unknown.keyPlace)
    }

    /// Runs `body` for a rule, which does not know positions, and throws only the problem of its error. ``placed(_:)``
    /// restores the position.
    mutating func unwrapped<Result>(
        _ body: (inout ObjectReader) throws(FormDescriptionError) -> Result
    ) throws(FormDescriptionError.Problem) -> Result {
        do {
            return try body(&self)
        } catch {
            failure = error
            throw error.problem
        }
    }

    /// Returns `problem` and stores the position of `key` for ``placed(_:)``.
    mutating func refusal(
        of key: String, _ problem: FormDescriptionError.Problem
    ) -> FormDescriptionError.Problem {
        failure = error(problem, at: place(of: key))
        return problem
    }

    /// The error for `problem`, at the stored position if there is one, otherwise at the position of the object.
    func placed(_ problem: FormDescriptionError.Problem) -> FormDescriptionError {
        failure.flatMap { $0.problem == problem ? $0 : nil } ?? error(problem)
    }
}
