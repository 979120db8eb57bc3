/// Validates JSON Lines with one response per line. It does not access files.
package protocol LineValidator: ~Copyable {
    /// Appends the response to `line`, with a newline.
    ///
    /// - Parameter line: the line without its newline. It may contain any bytes.
    mutating func answer(_ line: Span<UInt8>, to answers: inout [UInt8])
}

extension LineValidator where Self: ~Copyable {
    /// Appends the response to a line that exceeds the maximum length.
    package func answerOverlong(to answers: inout [UInt8]) { LineAnswer.refuse(nil, .badRequest, to: &answers) }
}

/// Writes the parts of a response.
enum LineAnswer {
    /// The reason why there is no verdict on a line.
    enum Refusal: String, Error {
        case badRequest = "bad_request"
        case unknownRule = "unknown_rule"
    }

    private static let start = Array(#"{"id":"#.utf8)

    /// Appends `{"id":1,"error":"bad_request"}`.
    ///
    /// - Parameter id: the ID of the line; nil if it could not be read.
    static func refuse(_ id: Int?, _ refusal: Refusal, to answers: inout [UInt8]) {
        begin(id, to: &answers)
        answers.append(contentsOf: #","error":""#.utf8)
        answers.append(contentsOf: refusal.rawValue.utf8)
        answers.append(contentsOf: "\"}\n".utf8)
    }

    /// Appends `{"id":1`, the start of every response.
    static func begin(_ id: Int?, to answers: inout [UInt8]) {
        answers.append(contentsOf: start)
        guard let id else { return answers.append(contentsOf: "null".utf8) }
        if id < 0 { answers.append(UInt8(ascii: "-")) }
        // `Int.min` has no positive counterpart, but it has a magnitude.
        append(id.magnitude, to: &answers)
    }

    private static func append(_ number: UInt, to answers: inout [UInt8]) {
        if number > 9 { append(number / 10, to: &answers) }
        answers.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
