import LatchkeyPasskeys
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct CBORReaderTests {
    struct Row: Decodable {
        let hex: String
        /// In diagnostic notation (RFC 8949, section 8); nil if the bytes are refused.
        let value: String?
        let failure: String?
        let why: String
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    private static func notation(_ value: CBORValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .text(let text): "\"\(text)\""
        case .bytes(let bytes):
            "h'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
        case .array(let values): "[" + values.map(notation).joined(separator: ", ") + "]"
        case .map(let entries):
            "{" + entries.map { "\(notation($0.key)): \(notation($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    private static let rows = Result { try Fixture.rows(of: Row.self, in: "passkeys/cbor.jsonl") }

    @Test func `each input has the expected value or failure`() throws {
        for row in try Self.rows.get() {
            do throws(CBORReader.Failure) {
                let value = try CBORReader.value(of: Self.bytes(row.hex))
                #expect(Self.notation(value) == row.value, "\(row.hex): \(row.why)")
            } catch {
                #expect(error.rawValue == row.failure, "\(row.hex): \(row.why)")
            }
        }
    }

    @Test func `keys in any order are accepted where that is asked for, and no key twice`() throws {
        for row in try Self.rows.get() {
            let value = Result { () throws(CBORReader.Failure) in
                try CBORReader.value(of: Self.bytes(row.hex), hasSortedKeys: false)
            }
            let isAccepted = (try? value.get()) != nil
            #expect(isAccepted == (row.failure == nil || row.failure == "unsorted_keys"), "\(row.hex): \(row.why)")
        }
        for hex in ["a3010002000100", "a2616100616100", "a101a3020001000200"] {
            #expect(throws: CBORReader.Failure.duplicateKey) {
                try CBORReader.value(of: Self.bytes(hex), hasSortedKeys: false)
            }
        }
    }

    @Test func `each failure has a test case`() throws {
        let failures = Set(try Self.rows.get().compactMap(\.failure))
        #expect(failures == Set(CBORReader.Failure.allCases.map(\.rawValue)).subtracting(["too_large"]))
    }

    @Test func `a truncated input is refused at every length`() throws {
        for row in try Self.rows.get() where row.value != nil {
            let bytes = Self.bytes(row.hex)
            for count in 0..<bytes.count {
                #expect(throws: CBORReader.Failure.unexpectedEnd) { try CBORReader.value(of: Array(bytes[..<count])) }
            }
        }
    }

    @Test func `an input of more than 65,536 bytes is refused`() {
        let largest: [UInt8] = [0x59, 0xFF, 0xFD] + [UInt8](repeating: 0, count: 65_533)
        #expect(throws: Never.self) { try CBORReader.value(of: largest) }
        #expect(throws: CBORReader.Failure.tooLarge) { try CBORReader.value(of: largest + [0]) }
    }

    @Test func `values can be read from an offset, one after another`() throws {
        var reader = try CBORReader([0xFF, 0x82, 1, 2, 0x61, 0x61], from: 1)
        #expect(try reader.next() == .array([.integer(1), .integer(2)]))
        #expect(reader.offset == 4)
        #expect(try reader.next() == .text("a"))
        #expect(throws: CBORReader.Failure.unexpectedEnd) { try reader.next() }
    }
}
