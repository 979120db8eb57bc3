import Glibc
import LatchkeyAccounts
import LatchkeyHashing
import LatchkeySecrets
import TestSupport
import Testing

struct Argon2idTests {
    /// S-22.
    @Test func `the tag is that of RFC 9106, section 5_3`() throws {
        let tag = try Argon2.tag(
            byteCount: 32, of: Secret(copying: [UInt8](repeating: 1, count: 32).span),
            salt: [UInt8](repeating: 2, count: 16),
            parameters: try #require(Argon2Parameters(memory: 32, iterations: 3, parallelism: 4)),
            key: Secret(copying: [UInt8](repeating: 3, count: 8).span),
            associatedData: [UInt8](repeating: 4, count: 12))
        let published: [UInt8] = [
            0x0d, 0x64, 0x0d, 0xf5, 0x8d, 0x78, 0x76, 0x6c, 0x08, 0xc0, 0x37, 0xa3, 0x4a, 0x8b, 0x53, 0xc9,
            0xd0, 0x1e, 0xf0, 0x45, 0x2d, 0x75, 0xb6, 0x5e, 0xb5, 0x25, 0x20, 0xe9, 0x6b, 0x01, 0xe6, 0x59,
        ]
        let isPublished = tag.withBytes { ConstantTime.areEqual($0, published.span) }
        #expect(isPublished)
    }

    @Test func `the empty password has its own tag`() throws {
        let salt = [UInt8](repeating: 2, count: 16)
        let empty = try Argon2.tag(byteCount: 32, of: Secret(""), salt: salt, parameters: .least)
        let space = try Argon2.tag(byteCount: 32, of: Secret(" "), salt: salt, parameters: .least)
        let areEqual = empty.withBytes { empty in space.withBytes { ConstantTime.areEqual(empty, $0) } }
        #expect(!areEqual)
    }

    @Test func `parameters that the library refuses are unsupported`() throws {
        #expect(throws: HashError.unsupported) {
            _ = try Argon2.tag(
                byteCount: 3, of: Secret("x"), salt: Array(repeating: 2, count: 16), parameters: .least)
        }
        #expect(throws: HashError.unsupported) {
            _ = try Argon2.tag(
                byteCount: 32, of: Secret("x"), salt: Array(repeating: 2, count: 7), parameters: .least)
        }
    }

    /// A sanitizer ends the process when an allocation fails.
    private static let isSanitized =
        unsafe dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

    @Test(.disabled(if: isSanitized)) func `a failed allocation is an error and does not end the process`() async {
        // In a process of its own, because its address space is limited from here on.
        await #expect(processExitsWith: .success) {
            let parameters = try #require(Argon2Parameters(memory: 1 << 18, iterations: 1, parallelism: 1))
            let password = Secret("x")
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            limit.rlim_cur = 1
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            do throws(HashError) {
                _ = try Argon2.tag(
                    byteCount: 32, of: password, salt: Array(repeating: 2, count: 16), parameters: parameters)
                exit(1)
            } catch {
                exit(error == .outOfMemory ? 0 : 2)
            }
        }
    }
}
