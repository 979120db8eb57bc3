import CUnistring
import Glibc

/// Unicode normalization form C (UAX #15) from libunistring 1.0 (Unicode 14).
///
/// Scalars from later versions of Unicode stay unchanged.
package enum Normalization {
    /// The maximum factor by which UTF-8 can grow: three (UAX #15, "Maximum Expansion Factors").
    static let expansion = 3

    /// The text in NFC.
    package static func nfc(_ text: UTF8Span) -> String {
        if isASCII(text) { return String(copying: text) }
        return unsafe text.span.withUnsafeBufferPointer { input in
            unsafe String(unsafeUninitializedCapacity: input.count * expansion) { output in
                guard let count = unsafe nfc(of: input, into: output) else {
                    preconditionFailure("out of memory")  // like a failed allocation in Swift
                }
                return count
            }
        }
    }

    /// The text in NFC with ASCII capitals in lower case, for comparing e-mail addresses and domains.
    package static func nfcInSmallASCII(_ text: UTF8Span) -> String {
        let composed = nfc(text)
        let bytes = composed.utf8Span.span
        // Most addresses and names have no capitals.
        guard bytes.indices.contains(where: { isCapital(bytes[$0]) }) else { return composed }
        return String(decoding: composed.utf8.map { isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The ASCII letter below the marks of a letter, such as `u` for `ü`; nil if there is none.
    package static func baseLetter(of character: Character) -> Character? {
        var parts = [ucs4_t](repeating: 0, count: Int(UC_DECOMPOSITION_MAX_LENGTH))
        guard var scalar = character.unicodeScalars.first?.value else { return nil }
        // The first part may be a letter with a mark itself. None has more than three.
        for _ in 0..<4 where unsafe uc_canonical_decomposition(scalar, &parts) > 0 { scalar = parts[0] }
        guard let letter = Unicode.Scalar(scalar).map(Character.init), letter.isASCII, letter.isLetter else {
            return nil
        }
        return letter
    }

    private static func isCapital(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }

    /// Passes the NFC of `text` to `body` and then erases it. It creates no `String`, so it is safe for secrets.
    package static func withNFC<Result>(of text: UTF8Span, _ body: (Span<UInt8>) -> Result) -> Result {
        if isASCII(text) { return body(text.span) }
        return unsafe text.span.withUnsafeBufferPointer { input in
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: input.count * expansion) { output in
                defer { if let start = output.baseAddress { unsafe explicit_bzero(start, output.count) } }
                guard let count = unsafe nfc(of: input, into: output) else {
                    preconditionFailure("out of memory")  // like a failed allocation in Swift
                }
                return unsafe body(UnsafeBufferPointer(output.extracting(..<count)).span)
            }
        }
    }

    /// Writes the NFC of `input`, which must be UTF-8, to `output`, which must be ``expansion`` times as large.
    ///
    /// - Returns: the number of written bytes; nil if libunistring is out of memory. It only needs memory for more than
    ///   64 consecutive combining scalars.
    static func nfc(of input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard let start = input.baseAddress, let target = output.baseAddress, input.count > 0 else {
            return 0
        }
        var count = output.count
        let result = unsafe u8_normalize(latchkey_nfc(), start, input.count, target, &count)
        return unsafe result == target ? count : nil
    }

    /// Whether the text is ASCII, which NFC never changes.
    static func isASCII(_ text: UTF8Span) -> Bool {
        var text = text
        return text.checkForASCII()
    }
}
