import LatchkeySecrets
import Testing

struct RandomSourceTests {
    @Test(arguments: [0, 1, 16, 32, 256])
    func `the system gives as many bytes as were asked for`(count: Int) throws {
        #expect(try RandomSource.system.bytes(count).count == count)
        #expect(try Secret(RandomSource.system.secret(count)).count == count)
    }

    @Test func `the system never gives the same twice`() throws {
        #expect(try RandomSource.system.bytes(32) != RandomSource.system.bytes(32))
        let secret = try Secret(RandomSource.system.secret(32))
        #expect(try !secret.isEqual(to: Secret(RandomSource.system.secret(32))))
    }

    /// S-87.
    @Test func `more than the kernel gives at once is an error and not fewer bytes`() {
        #expect(throws: RandomSource.Unavailable()) { try RandomSource.system.bytes(257) }
    }

    @Test func `what a source fills is what is given`() throws {
        let counting = RandomSource { (bytes) throws(RandomSource.Unavailable) in
            for index in bytes.indices { bytes[index] = UInt8(index) }
        }
        #expect(try counting.bytes(4) == [0, 1, 2, 3])
        let secret = try Secret(counting.secret(4))
        #expect(secret.isEqual(to: Secret(copying: [0, 1, 2, 3].span)))
    }

    @Test func `a source that fails is an error for whoever asks`() {
        let failing = RandomSource { (_) throws(RandomSource.Unavailable) in throw RandomSource.Unavailable() }
        #expect(throws: RandomSource.Unavailable()) { try failing.bytes(16) }
        #expect(throws: RandomSource.Unavailable()) { try Secret(failing.secret(16)) }
    }
}
