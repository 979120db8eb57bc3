import LatchkeySecrets
import Testing

@Suite(.timeLimit(.minutes(60)))
struct RandomSourceTests {
    @Test(arguments: [0, 1, 16, 32, 256])
    func `the system's source fills all requested bytes`(count: Int) throws {
        #expect(try RandomSource.system.bytes(count).count == count)
        #expect(try Secret(RandomSource.system.secret(count)).count == count)
    }

    @Test func `the system's source does not return the same bytes twice`() throws {
        #expect(try RandomSource.system.bytes(32) != RandomSource.system.bytes(32))
        let secret = try Secret(RandomSource.system.secret(32))
        #expect(try !secret.isEqual(to: Secret(RandomSource.system.secret(32))))
    }

    /// S-87.
    @Test func `a request above the kernel's limit is an error`() {
        #expect(throws: RandomSource.Unavailable()) { try RandomSource.system.bytes(257) }
    }

    @Test func `a source passes on its bytes unchanged`() throws {
        let counting = RandomSource { (bytes) throws(RandomSource.Unavailable) in
            for index in bytes.indices { bytes[index] = UInt8(index) }
        }
        #expect(try counting.bytes(4) == [0, 1, 2, 3])
        let secret = try Secret(counting.secret(4))
        #expect(secret.isEqual(to: Secret(copying: [0, 1, 2, 3].span)))
    }

    @Test func `a failing source throws`() {
        let failing = RandomSource { (_) throws(RandomSource.Unavailable) in throw RandomSource.Unavailable() }
        #expect(throws: RandomSource.Unavailable()) { try failing.bytes(16) }
        #expect(throws: RandomSource.Unavailable()) { try Secret(failing.secret(16)) }
    }
}
