import CUnistring
import Glibc

/// Unicode's normal form C (UAX #15), by libunistring 1.0, whose Unicode is 14.
///
/// A scalar that a later Unicode assigns stays as it is.
public enum Normalization {
    /// How many times longer UTF-8 may become: three (UAX #15, "Maximum Expansion Factors").
    static let expansion = 3

    /// The text in NFC.
    public static func nfc(_ text: UTF8Span) -> String {
        if isASCII(text) { return String(copying: text) }
        return unsafe text.span.withUnsafeBufferPointer { input in
            unsafe String(unsafeUninitializedCapacity: input.count * expansion) { output in
                guard let count = unsafe nfc(of: input, into: output) else {
                    preconditionFailure("out of memory")  // as in any allocation of Swift's own
                }
                return count
            }
        }
    }

    /// The text in NFC, its ASCII capitals as small letters and no others: what addresses and domains are compared by.
    public static func nfcInSmallASCII(_ text: UTF8Span) -> String {
        let folded = nfc(text).utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Lends the NFC of a text for as long as `body` runs, without a `String`, and wipes it then: fit for secrets.
    public static func withNFC<Result>(of text: UTF8Span, _ body: (Span<UInt8>) -> Result) -> Result {
        if isASCII(text) { return body(text.span) }
        return unsafe text.span.withUnsafeBufferPointer { input in
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: input.count * expansion) { output in
                defer { if let start = output.baseAddress { unsafe explicit_bzero(start, output.count) } }
                guard let count = unsafe nfc(of: input, into: output) else {
                    preconditionFailure("out of memory")  // as in any allocation of Swift's own
                }
                return unsafe body(UnsafeBufferPointer(output.extracting(..<count)).span)
            }
        }
    }

    /// Writes the NFC of `input`, valid UTF-8, to the start of `output`, at least ``expansion`` times as large.
    ///
    /// - Returns: the count of bytes written; nil where there was no memory for what libunistring itself needs, which
    ///   is some when more than 64 scalars in a row combine.
    static func nfc(of input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard let start = input.baseAddress, let target = output.baseAddress, input.count > 0 else {
            return 0
        }
        var count = output.count
        let result = unsafe u8_normalize(latchkey_nfc(), start, input.count, target, &count)
        return unsafe result == target ? count : nil
    }

    /// Whether NFC would change nothing, seen from ASCII alone.
    static func isASCII(_ text: UTF8Span) -> Bool {
        var text = text
        return text.checkForASCII()
    }
}
