import LatchkeySecrets
import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct QRCodeTests {
    private static func code(_ bytes: [UInt8]) -> QRCode? { QRCode(Secret(copying: bytes.span)) }

    @Test func `the size of a QR code depends on the number of bytes`() throws {
        for (count, size) in [(1, 21), (17, 21), (18, 25), (106, 37), (107, 41), (2953, 177)] {
            let code = try #require(Self.code([UInt8](repeating: 0xFF, count: count)))
            #expect(code.size == size, "\(count) bytes")
        }
    }

    @Test(arguments: [0, 2954, 100_000])
    func `empty and oversized input gives no QR code`(count: Int) {
        #expect(Self.code([UInt8](repeating: 7, count: count)) == nil)
    }

    @Test func `a QR code has three finder patterns, and is light outside`() throws {
        let code = try #require(Self.code([1, 2, 3]))
        for (column, row) in [(0, 0), (20, 0), (0, 20), (3, 3), (17, 3), (3, 17)] {
            #expect(code.isDark(column: column, row: row))
        }
        for (column, row) in [(-1, 0), (0, -1), (21, 0), (0, 21), (Int.max, Int.min), (1, 1), (7, 7)] {
            #expect(!code.isDark(column: column, row: row))
        }
    }

    @Test(.enabled(if: QRReader.isInstalled, "zbarimg is not installed"))
    func `a scanner decodes the bytes of a QR code`() throws {
        for text in ["x", "otpauth://totp/Example:ada?secret=JBSWY3DPEHPK3PXP", String(repeating: "Ab1/", count: 700)] {
            let code = try #require(Self.code(Array(text.utf8)))
            let side = code.size + 8
            let read = try QRReader.read(columns: side, rows: side) { code.isDark(column: $0 - 4, row: $1 - 4) }
            #expect(read == text)
        }
    }
}
