import Glibc
import LatchkeyAccounts
import LatchkeyHashing
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct Argon2idTests {
    @Test func `the empty password and another password have different tags`() throws {
        let salt = [UInt8](repeating: 2, count: 16)
        let empty = try Argon2().tag(byteCount: 32, of: Secret(""), salt: salt, parameters: .least)
        let space = try Argon2().tag(byteCount: 32, of: Secret(" "), salt: salt, parameters: .least)
        let areEqual = empty.withBytes { empty in space.withBytes { ConstantTime.areEqual(empty, $0) } }
        #expect(!areEqual)
    }

    @Test(.disabled(if: Sanitizers.areActive)) func `a failed allocation is reported without a crash`() async {
        // Runs in a separate process, because it limits the address space.
        await #expect(processExitsWith: .success) {
            let parameters = try #require(Argon2Parameters(memory: 1 << 18, iterations: 1, parallelism: 1))
            let password = Secret("x")
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            limit.rlim_cur = 1
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            do throws(HashError) {
                _ = try Argon2().tag(
                    byteCount: 32, of: password, salt: Array(repeating: 2, count: 16), parameters: parameters)
                exit(1)
            } catch {
                exit(error == .outOfMemory ? 0 : 2)
            }
        }
    }
}
