package import LatchkeyForms

/// Validates lines such as `{"id":1,"values":{"username":"ada"}}` with a form, and responds with
/// `{"id":1,"valid":true,"errors":[]}`.
///
/// A field that is missing in a line has its default value, or is empty. A key that is not a field of the form makes
/// the line invalid.
package struct FormLineValidator: LineValidator, ~Copyable {
    private let form: Form
    private let messages: MessageTable
    private let keys: [[UInt8]]
    private var values = FormValues()
    /// The value of each field in the current line.
    private var found: [JSONFieldValue?]
    private var scratch = JSONScratch()
    /// A cache of encoded failures, because only a few different ones occur.
    private var errors: [(failure: RuleFailure, json: [UInt8])] = []

    /// The maximum size of the cache. The failures of custom rules may have values that never occur again.
    private static let maximumErrors = 256
    private static let valuesKey = Array("values".utf8)
    private static let valid = Array(",\"valid\":true,\"errors\":[]}\n".utf8)
    private static let invalid = Array(#","valid":false,"errors":["#.utf8)
    private static let end = Array("]}\n".utf8)

    /// Validates lines with `form` and writes sentences from `messages`.
    package init(form: Form, messages: MessageTable) {
        self.form = form
        self.messages = messages
        keys = form.fields.map { Array($0.apiKey.rawValue.utf8) }
        found = Array(repeating: nil, count: keys.count)
    }

    package mutating func answer(_ line: Span<UInt8>, to answers: inout [UInt8]) {
        let request = read(line)
        guard let request, request.isValid, fill(from: line) else {
            return LineAnswer.refuse(request?.id, .badRequest, to: &answers)
        }
        let failures = form.failures(of: values)
        LineAnswer.begin(request.id, to: &answers)
        guard !failures.isEmpty else { return answers.append(contentsOf: Self.valid) }
        answers.append(contentsOf: Self.invalid)
        for index in failures.indices {
            if index > 0 { answers.append(UInt8(ascii: ",")) }
            answers.append(contentsOf: error(failures[index]))
        }
        answers.append(contentsOf: Self.end)
    }

    private mutating func error(_ failure: RuleFailure) -> [UInt8] {
        if let known = errors.first(where: { $0.failure == failure }) { return known.json }
        let error = JSONValue.object([
            ("field", .string(failure.field?.rawValue ?? "")), ("code", .string(failure.code.rawValue)),
            ("message", .string(messages.sentence(for: failure, in: form))),
        ])
        let json = Array(error.encoded.utf8)
        if errors.count < Self.maximumErrors { errors.append((failure, json)) }
        return json
    }

    // MARK: Reading a line

    private mutating func read(_ line: Span<UInt8>) -> LineRequest? {
        for index in found.indices { found[index] = nil }
        var hasValues = false
        let request = LineRequest(line) { (scanner, key) throws(JSONScanner.Failure) in
            guard key.isWritten(Self.valuesKey, in: line) else {
                try scanner.skip(in: line, depth: 1)
                return true
            }
            let isFirst = !hasValues
            hasValues = true
            var expected = 0
            let areFields = try scanner.values(in: line) { key, value in
                guard let field = field(key, expected: expected, in: line), found[field] == nil,
                    value.suits(form.fields[field].kind)
                else { return false }
                found[field] = value
                expected = field + 1
                return true
            }
            return areFields && isFirst
        }
        return hasValues ? request : request?.invalid
    }

    /// The field with this key. The expected field is checked first, because most lines follow the order of the form.
    private func field(_ key: JSONString, expected: Int, in line: Span<UInt8>) -> Int? {
        if expected < keys.count, key.isWritten(keys[expected], in: line) { return expected }
        return keys.indices.first { key.isWritten(keys[$0], in: line) }
    }

    /// Sets the values of all fields; false if a string is not valid text.
    private mutating func fill(from line: Span<UInt8>) -> Bool {
        for place in found.indices {
            switch found[place] {
            case .string(let string):
                let isText = scratch.withText(of: string, in: line) { form.fill(&values, at: place, with: $0) }
                guard isText else { return false }
            case .boolean(let isTrue): form.fill(&values, at: place, with: .boolean(isTrue))
            case .list(let texts): form.fill(&values, at: place, with: .list(texts))
            case nil:
                guard let value = form.fields[place].defaultValue else {
                    form.fill(&values, at: place, with: "".utf8Span)
                    continue
                }
                form.fill(&values, at: place, with: value)
            }
        }
        return true
    }
}
