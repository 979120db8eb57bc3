/// Judges JSON Lines: an answer for each line, whatever it holds. It reads nothing and writes nothing.
package protocol LineValidator: ~Copyable {
    /// Appends the answer to `line`, a line of its own with its newline.
    ///
    /// - Parameter line: without its newline; of any bytes.
    mutating func answer(_ line: Span<UInt8>, to answers: inout [UInt8])
}

extension LineValidator where Self: ~Copyable {
    /// Appends the answer to a line that is too long to be looked at.
    package func answerOverlong(to answers: inout [UInt8]) { LineAnswer.refuse(nil, .badRequest, to: &answers) }
}
