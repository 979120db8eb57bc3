import LatchkeySecrets

/// Judges lines such as `{"id":1,"values":{"username":"ada"}}` by a form: `{"id":1,"valid":true,"errors":[]}`.
///
/// A field that a line leaves out is empty; one that the form lacks makes the line senseless.
package struct FormLineValidator: LineValidator, ~Copyable {
    private let form: Form
    private let messages: MessageTable
    private let keys: [[UInt8]]
    private var values = FormValues()
    /// Where the values stand in the line at hand, by field.
    private var found: [JSONString?]
    private var scratch = LineScratch()

    package init(form: Form, messages: MessageTable = .english) {
        self.form = form
        self.messages = messages
        keys = form.fields.map { Array($0.apiKey.rawValue.utf8) }
        found = Array(repeating: nil, count: keys.count)
    }

    package mutating func answer(_ line: Span<UInt8>, to answers: inout [UInt8]) {
        defer { values.empty() }
        let request = read(line)
        guard let request, request.isSensible, fill(from: line) else {
            return LineAnswer.refuse(request?.id, .badRequest, to: &answers)
        }
        let failures = form.failures(of: values)
        LineAnswer.begin(request.id, to: &answers)
        answers.append(contentsOf: #","valid":"#.utf8)
        answers.append(contentsOf: (failures.isEmpty ? #"true,"errors":["# : #"false,"errors":["#).utf8)
        for (index, failure) in failures.enumerated() {
            if index > 0 { answers.append(UInt8(ascii: ",")) }
            let error = JSONValue.object([
                ("field", .string(failure.field?.rawValue ?? "")), ("code", .string(failure.code.rawValue)),
                ("message", .string(messages.sentence(for: failure, in: form))),
            ])
            answers.append(contentsOf: error.encoded.utf8)
        }
        answers.append(contentsOf: "]}\n".utf8)
    }

    private mutating func read(_ line: Span<UInt8>) -> LineRequest? {
        for index in found.indices { found[index] = nil }
        var hasValues = false
        let request = LineRequest(line) { (scanner, key) throws(JSONScanner.Failure) in
            guard key.isWritten("values", in: line) else {
                try scanner.skip(in: line, depth: 1)
                return true
            }
            let isFirst = !hasValues
            hasValues = true
            return try readValues(at: &scanner, in: line) && isFirst
        }
        return hasValues ? request : request?.senseless
    }

    /// Whether the value that begins here is an object of texts, a field each.
    private mutating func readValues(
        at scanner: inout JSONScanner, in line: Span<UInt8>
    ) throws(JSONScanner.Failure) -> Bool {
        guard scanner.next(in: line) == UInt8(ascii: "{") else {
            try scanner.skip(in: line, depth: 1)
            return false
        }
        var areSensible = true
        try scanner.members(in: line, depth: 1) { (scanner, key) throws(JSONScanner.Failure) in
            let field = keys.indices.first { key.isWritten(keys[$0], in: line) }
            guard let field, found[field] == nil, scanner.next(in: line) == UInt8(ascii: "\"") else {
                areSensible = false
                return try scanner.skip(in: line, depth: 2)
            }
            found[field] = try scanner.string(in: line)
        }
        return areSensible
    }

    /// Gives the form what was found; false where a string is none.
    private mutating func fill(from line: Span<UInt8>) -> Bool {
        for (index, string) in found.enumerated() {
            guard let string else { continue }
            let isText = scratch.withText(of: string, in: line) { text in
                _ = values.set(text, for: form.fields[index])
            }
            guard isText else { return false }
        }
        return true
    }
}
