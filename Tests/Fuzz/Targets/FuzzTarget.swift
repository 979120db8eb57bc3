/// Code that reads bytes from outside, with the properties that must hold for every input.
struct FuzzTarget: Sendable {
    /// The name of the target and of its seed folder.
    let name: String
    /// The maximum useful length of an input. Longer inputs are only slower.
    let maximumBytes: Int
    /// The violated property; nil if all hold.
    let judge: @Sendable ([UInt8]) async -> String?

    init(_ name: String, upTo maximumBytes: Int, judge: @escaping @Sendable ([UInt8]) async -> String?) {
        self.name = name
        self.maximumBytes = maximumBytes
        self.judge = judge
    }

    /// All code that reads bytes from outside the program.
    static let all = [
        phcString, storedHash, formDescription, pattern, normalization, identifiers, escaper, terminalInput, arguments,
        json, recoveryCode, secretFiles, lines, auditTrail, message, store, storedRows, flows, rows, desiredState,
        csvCell, cbor, passkeys, redirectURI, authorizationRequest, clientAuthentication, jws, userCode,
    ]
}

extension [UInt8] {
    /// The bytes as a string, with invalid UTF-8 repaired, because a fuzzer rarely writes valid UTF-8.
    var repairedText: String { String(decoding: self, as: UTF8.self) }

    /// The pieces between NULs.
    var pieces: [ArraySlice<UInt8>] { split(separator: 0, omittingEmptySubsequences: false) }
}
