/// Why a text is no JSON as ``JSONScanner`` has it.
package enum JSONProblem: Error, Equatable, Sendable {
    case notUTF8
    case byteOrderMark
    case comment
    case unexpectedEnd
    /// A character that cannot stand here.
    case unexpected(String)
    case duplicateKey(String)
    case loneSurrogate
    case tooDeep(maximum: Int)
    case afterEnd
}
