/// Something that takes bytes from outside, with what must hold of it whatever they are.
struct FuzzTarget: Sendable {
    /// Also the name of the folder of its seeds.
    let name: String
    /// Longer inputs find nothing more, only slower.
    let maximumBytes: Int
    /// What does not hold; nil where all does.
    let judge: @Sendable ([UInt8]) async -> String?

    init(_ name: String, upTo maximumBytes: Int, judge: @escaping @Sendable ([UInt8]) async -> String?) {
        self.name = name
        self.maximumBytes = maximumBytes
        self.judge = judge
    }

    /// Every way for bytes from outside into the program.
    static let all = [
        phcString, storedHash, formDescription, pattern, normalization, identifiers, escaper, terminalInput, arguments,
        json, recoveryCode, secretFiles, lines, auditTrail, message, store, flows, rows, desiredState,
        recording,
    ]
}

extension [UInt8] {
    /// Bytes that are no UTF-8 repaired, for what is given a text: a fuzzer seldom writes UTF-8 of itself.
    var repairedText: String { String(decoding: self, as: UTF8.self) }

    /// The pieces between NULs.
    var pieces: [ArraySlice<UInt8>] { split(separator: 0, omittingEmptySubsequences: false) }
}
