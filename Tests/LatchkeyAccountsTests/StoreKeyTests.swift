import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

struct StoreKeyTests {
    private func key(_ byte: UInt8) throws -> StoreKey {
        let bytes = [UInt8](repeating: byte, count: 32)
        return try #require(StoreKey(Secret(copying: bytes.span)))
    }

    @Test(arguments: [0, 31, 33, 64])
    func `a key has 32 bytes`(count: Int) {
        #expect(StoreKey(Secret(String(repeating: "k", count: count))) == nil)
    }

    @Test func `the tags equal those of an independent implementation`() throws {
        // python3: hmac.new(b"k" * 32, domain + b"\0" + message, "sha256")
        let key = try key(UInt8(ascii: "k"))
        #expect(key.throttle(ofUnknownName: "grace") == .unknownName(row: 15418))
        #expect(key.auditTag(of: "grace") == "cdce0afe8b863e02")
        let code = try #require(RecoveryCode(typed: Secret("0123-4567-89ab-cdef-ghjk-mnpq")))
        let hex = key.tag(of: code).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == "a4e85a5a7f8bfb577afbfca1e36006aa65a3a2a4e9030e3ff0cbb4a40e45a268")
    }

    @Test func `another key has other tags`() throws {
        #expect(try key(1).auditTag(of: "grace") != key(2).auditTag(of: "grace"))
        #expect(try key(1).throttle(ofUnknownName: "grace") != key(2).throttle(ofUnknownName: "grace"))
    }

    /// S-51.
    @Test func `unknown names share 65,536 throttles evenly`() throws {
        let key = try key(3)
        var throttles: [Throttle: Int] = [:]
        for number in 0..<65_536 { throttles[key.throttle(ofUnknownName: "ghost\(number)"), default: 0] += 1 }
        // Of 65,536 balls in as many bins, 1 − 1/e of the bins have one (41,427), within five standard deviations.
        #expect((41_000...41_850).contains(throttles.count))
    }
}
