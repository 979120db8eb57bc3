package import LatchkeySecrets

/// A line that is an object whose strings may be secrets: they are kept in locked memory, and no `String` is made of them.
package struct SecretLine: Sendable {
    /// Nil where none could be read.
    package let id: Int?
    /// Whether there is an id, where one is needed, and each member that is asked for is there, once, and a string.
    package let isSensible: Bool
    private let members: [String: Secret]

    /// - Parameters:
    ///   - line: of any bytes.
    ///   - names: of the members that are asked for; others are passed over.
    ///   - needsID: whether it makes no sense without an id.
    package init(_ line: Span<UInt8>, members names: [String], needsID: Bool = true) {
        var scratch = LineScratch()
        let names = names.map { (text: $0, bytes: Array($0.utf8)) }
        var found: [String: JSONString] = [:]
        let request = LineRequest(line, needsID: needsID) { (scanner, key) throws(JSONScanner.Failure) in
            guard let name = names.first(where: { key.isWritten($0.bytes, in: line) })?.text else {
                try scanner.skip(in: line, depth: 1)
                return true
            }
            guard scanner.next(in: line) == UInt8(ascii: "\""), found[name] == nil else {
                try scanner.skip(in: line, depth: 1)
                return false
            }
            found[name] = try scanner.string(in: line)
            return true
        }
        var members: [String: Secret] = [:]
        for (name, string) in found where request != nil {
            _ = scratch.withText(of: string, in: line) { members[name] = Secret(copying: $0.span) }
        }
        id = request?.id
        isSensible = request?.isSensible ?? false && members.count == names.count
        self.members = members
    }

    package subscript(_ name: String) -> Secret? { members[name] }

    /// Appends `{"id":1,"valid":true}`.
    package static func answer(_ id: Int?, valid: Bool, to answers: inout [UInt8]) {
        LineAnswer.begin(id, to: &answers)
        answers.append(contentsOf: ",\"valid\":\(valid)}\n".utf8)
    }

    /// Appends `{"id":1,"error":"…"}`.
    ///
    /// - Parameter error: a code, in snake case.
    package static func answer(_ id: Int?, error: String, to answers: inout [UInt8]) {
        LineAnswer.begin(id, to: &answers)
        answers.append(contentsOf: ",\"error\":\"\(error)\"}\n".utf8)
    }
}
