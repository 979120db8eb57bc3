/// The lines that answer: what they are made of.
enum LineAnswer {
    /// Why a line has no verdict.
    enum Refusal: String, Error {
        case badRequest = "bad_request"
        case unknownRule = "unknown_rule"
    }

    private static let start = Array(#"{"id":"#.utf8)

    /// - Parameter id: nil where none could be read.
    static func refuse(_ id: Int?, _ refusal: Refusal, to answers: inout [UInt8]) {
        begin(id, to: &answers)
        answers.append(contentsOf: #","error":""#.utf8)
        answers.append(contentsOf: refusal.rawValue.utf8)
        answers.append(contentsOf: "\"}\n".utf8)
    }

    /// `{"id":1`
    static func begin(_ id: Int?, to answers: inout [UInt8]) {
        answers.append(contentsOf: start)
        guard let id else { return answers.append(contentsOf: "null".utf8) }
        if id < 0 { answers.append(UInt8(ascii: "-")) }
        // The least `Int` has no positive counterpart, but a magnitude.
        append(id.magnitude, to: &answers)
    }

    private static func append(_ number: UInt, to answers: inout [UInt8]) {
        if number > 9 { append(number / 10, to: &answers) }
        answers.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
