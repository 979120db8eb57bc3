import LatchkeyForms
package import LatchkeySecrets

/// A JSON line whose strings may be secrets. They are stored in locked memory and are never converted to a `String`.
package struct SecretLine: Sendable {
    /// The ID of the line; nil if it could not be read.
    package let id: Int?
    /// Whether the line has an ID, if one is required, and contains each requested member exactly once as a string.
    package let isValid: Bool
    private let members: [String: Secret]

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - line: the line, which may contain any bytes.
    ///   - names: the names of the requested members. Others are skipped.
    ///   - needsID: whether a line without an ID is invalid.
    package init(_ line: Span<UInt8>, members names: [String], needsID: Bool = true) {
        var scratch = JSONScratch()
        let names = names.map { (text: $0, bytes: Array($0.utf8)) }
        var found: [String: JSONString] = [:]
        let request = LineRequest(line, needsID: needsID) { (scanner, key) throws(JSONScanner.Failure) in
            guard let name = names.first(where: { key.isWritten($0.bytes, in: line) })?.text else {
                try scanner.skip(in: line, depth: 1)
                return true
            }
            return try scanner.once(&found[name], in: line)
        }
        var members: [String: Secret] = [:]
        for (name, string) in found where request != nil {
            _ = scratch.withText(of: string, in: line) { members[name] = Secret(copying: $0.span) }
        }
        id = request?.id
        isValid = request?.isValid ?? false && members.count == names.count
        self.members = members
    }

    /// The value of a requested member.
    package subscript(_ name: String) -> Secret? { members[name] }

    /// Appends `{"id":1,"valid":true}`.
    package static func answer(_ id: Int?, valid: Bool, to answers: inout [UInt8]) {
        LineAnswer.begin(id, to: &answers)
        answers.append(contentsOf: ",\"valid\":\(valid)}\n".utf8)
    }

    /// Appends `{"id":1,"error":"…"}`.
    ///
    /// - Parameter error: a code in snake case.
    package static func answer(_ id: Int?, error: String, to answers: inout [UInt8]) {
        LineAnswer.begin(id, to: &answers)
        answers.append(contentsOf: ",\"error\":\"\(error)\"}\n".utf8)
    }
}
