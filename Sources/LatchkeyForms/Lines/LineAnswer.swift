/// The lines that answer: what they are made of.
enum LineAnswer {
    /// Why a line has no verdict.
    enum Refusal: String {
        case badRequest = "bad_request"
        case unknownRule = "unknown_rule"
    }

    /// - Parameter id: nil where none could be read.
    static func refuse(_ id: Int?, _ refusal: Refusal, to answers: inout [UInt8]) {
        begin(id, to: &answers)
        answers.append(contentsOf: #","error":""#.utf8)
        answers.append(contentsOf: refusal.rawValue.utf8)
        answers.append(contentsOf: "\"}\n".utf8)
    }

    /// `{"id":1`
    static func begin(_ id: Int?, to answers: inout [UInt8]) {
        answers.append(contentsOf: #"{"id":"#.utf8)
        guard let id else { return answers.append(contentsOf: "null".utf8) }
        answers.append(contentsOf: String(id).utf8)
    }
}
