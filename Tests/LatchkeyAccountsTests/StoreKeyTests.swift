import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

@Suite(.timeLimit(.minutes(60)))
struct StoreKeyTests {
    private func key(_ byte: UInt8) throws -> StoreKey {
        let bytes = [UInt8](repeating: byte, count: 32)
        return try #require(StoreKey(Secret(copying: bytes.span)))
    }

    @Test(arguments: [0, 31, 33, 64])
    func `a key has 32 bytes`(count: Int) {
        #expect(StoreKey(Secret(String(repeating: "k", count: count))) == nil)
    }

    @Test func `the tags match those of Python's hmac module`() throws {
        // python3: hmac.new(b"k" * 32, domain + b"\0" + message, "sha256")
        let key = try key(UInt8(ascii: "k"))
        #expect(key.throttle(ofUnknownName: "grace") == .unknownName(row: 15418))
        #expect(key.throttle(ofIdentifier: "grace") == .identifier(row: 5702))
        #expect(key.auditTag(of: "grace") == "cdce0afe8b863e02")
        // The first eight bytes of the tag, modulo the milliseconds of a window.
        #expect(
            key.moment(ofWindow: 1_963_584, in: .identifier(row: 15418)).milliseconds == 1_767_226_218_423
        )
        #expect(
            key.moment(ofWindow: 1_963_584, in: .unknownName(row: 15418)).milliseconds
                == 1_767_226_196_288)
        let account = try #require(AccountID("00000000-0000-4000-8000-00000000000a"))
        #expect(
            key.moment(ofWindow: 1_963_584, in: .account(account)).milliseconds == 1_767_226_212_920)
        let code = try #require(RecoveryCode(typed: Secret("0123-4567-89ab-cdef-ghjk-mnpq")))
        let hex = key.tag(of: code).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == "a4e85a5a7f8bfb577afbfca1e36006aa65a3a2a4e9030e3ff0cbb4a40e45a268")
    }

    @Test func `different keys produce different tags`() throws {
        #expect(try key(1).auditTag(of: "grace") != key(2).auditTag(of: "grace"))
        #expect(try key(1).throttle(ofUnknownName: "grace") != key(2).throttle(ofUnknownName: "grace"))
    }

    /// S-133.
    @Test func `the extra attempt has a random time in each window of each throttle`() throws {
        let key = try key(4)
        let length = ExtraAttempt.window.wholeMilliseconds
        var offsets: [Int64] = []
        for window in 0..<1000 as Range<Int64> {
            let moment = key.moment(ofWindow: window, in: .identifier(row: 7))
            #expect(ExtraAttempt.number(of: moment) == window)
            offsets.append(moment.milliseconds - window * length)
        }
        #expect(Set(offsets).count > 990)
        for quarter in 0..<4 as Range<Int64> {
            let range = quarter * length / 4..<(quarter + 1) * length / 4
            #expect((180...320).contains(offsets.count { range.contains($0) }))
        }
        #expect(
            try key.moment(ofWindow: 5, in: .identifier(row: 7))
                != self.key(5).moment(ofWindow: 5, in: .identifier(row: 7)))
        #expect(
            key.moment(ofWindow: 5, in: .identifier(row: 7))
                != key.moment(ofWindow: 5, in: .identifier(row: 8)))
    }

    @Test(arguments: [.min, -1, 0, 1, .max] as [Int64])
    func `every time belongs to exactly one window`(milliseconds: Int64) throws {
        let time = Timestamp(milliseconds: milliseconds)
        let number = ExtraAttempt.number(of: time)
        #expect(ExtraAttempt.start(ofWindow: number) <= time)
        #expect(ExtraAttempt.start(ofWindow: number + 1) > time || milliseconds == .max)
        _ = try key(4).moment(ofWindow: number, in: .identifier(row: 0))
    }

    /// S-51.
    @Test func `unknown names are distributed evenly over 65,536 throttles`() throws {
        let key = try key(3)
        var throttles: [Throttle: Int] = [:]
        for number in 0..<65_536 { throttles[key.throttle(ofUnknownName: "ghost\(number)"), default: 0] += 1 }
        // Of 65,536 balls in as many bins, 1 − 1/e of the bins have one (41,427), within five standard deviations.
        #expect((41_000...41_850).contains(throttles.count))
    }
}
