import Foundation
import Testing

/// Hashes can be exchanged between Latchkey and the argon2-cffi package for Python.
@Suite(.programs, .timeLimit(.minutes(60))) struct ForeignArgon2Tests {
    private func python(_ script: String, in sandbox: Sandbox) throws -> String {
        let ending = try sandbox.run("/usr/bin/python3", "-c", script)
        try #require(ending.status == 0, "\(ending.stderr)")
        return ending.stdout.trimmingCharacters(in: .newlines)
    }

    @Test(arguments: ["correct horse battery", "pässwörd with ümlauts", "🔑🔑🔑🔑🔑🔑🔑🔑🔑"])
    func `argon2-cffi verifies a hash made by Latchkey`(password: String) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada", password: password)
        let hash = try sandbox.passwordHash()
        #expect(hash.hasPrefix("$argon2id$v=19$m=7168,t=5,p=1$"))
        let verified = try python(
            "import argon2; print(argon2.PasswordHasher().verify('\(hash)', '\(password)'))", in: sandbox)
        #expect(verified == "True")
    }

    @Test func `Latchkey verifies a hash made by argon2-cffi`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let hash = try python(
            """
            import argon2
            print(argon2.PasswordHasher(time_cost=3, memory_cost=19456, parallelism=2).hash('made by somebody else'))
            """, in: sandbox)
        try sandbox.setPasswordHash(hash)
        let old = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        #expect(old.status == 1)
        let new = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", input: "made by somebody else\n")
        #expect(new.status == 0, "\(new.stderr)")
    }

    /// S-22.
    /// The defaults match the documentation.
    @Test func `new hashes cost 64 MiB and three passes by default`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.shell(
            """
            unset LATCHKEY_HASH_MEMORY LATCHKEY_HASH_ITERATIONS
            latchkey setup --username ada --email ada@example.org --password-stdin
            """, input: Data("correct horse battery\n".utf8))
        #expect(ending.status == 0, "\(ending.stderr)")
        #expect(try sandbox.passwordHash().hasPrefix("$argon2id$v=19$m=65536,t=3,p=1$"))
    }
}
