import Foundation
import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyRemote

@Suite(.timeLimit(.minutes(60)))
struct SMTPMailerTests {
    // MARK: Delivery

    @Test(arguments: [MailWorld.Encryption.fromStart, .startTLS])
    func `a message is sent over TLS with a login and its sender`(encryption: MailWorld.Encryption) async throws {
        let world = try MailWorld(encryption, ["--login", "desk@example.org", MailWorld.password], login: true)
        #expect(await world.failure(.to(subject: "Olá")) == nil)
        #expect(try world.logged("user") == ["desk@example.org"])
        #expect(try world.logged("password") == [Data(MailWorld.password.utf8).base64EncodedString()])
        #expect(try world.logged("mail") == ["desk@example.org"])
        #expect(try world.logged("rcpt") == ["ada@example.net"])
        let message = try #require(try world.messages().first)
        #expect(
            message.contains(
                "\r\nFrom: Desk <desk@example.org>\r\nTo: <ada@example.net>\r\nSubject: =?utf-8?b?T2zDoQ==?=\r\n"))
        #expect(world.mailer.lastReply == "250 2.0.0 queued as 12345")
        #expect(try world.server.log().contains { $0["quit"] == .bool(true) })
        #expect(try world.server.log().contains { $0["encrypted"] == .bool(true) })
    }

    @Test func `a message arrives without a login if the server does not require one`() async throws {
        let world = try MailWorld()
        #expect(await world.failure(.to()) == nil)
        #expect(try world.messages().count == 1 && world.logged("user").isEmpty)
    }

    @Test func `dots, long lines and all line endings arrive unchanged`() async throws {
        let world = try MailWorld()
        let bodies = [
            ".\n..\n. end\n.\n", "\n\n.hidden\nlast line without an end", "a\r\nb\rc\n.\r\n",
            String(repeating: "x", count: 5000) + "\nÀ bientôt =\n \n\t\n", "",
            String(repeating: String(repeating: "y", count: 62) + "\n.\n", count: 1500),
        ]
        for body in bodies { #expect(await world.failure(.to(body: body)) == nil) }
        let messages = try world.messages()
        #expect(messages.count == bodies.count)
        for (message, body) in zip(messages, bodies) {
            let parts = try #require(message.firstRange(of: "\r\n\r\n"))
            let (headers, content) = (message[..<parts.lowerBound], String(message[parts.upperBound...]))
            var text = content
            if headers.contains("quoted-printable") {
                text = try Self.decoded(content)
            } else {
                #expect(headers.contains("Content-Transfer-Encoding: 7bit"))
            }
            // The message ends with a line break in any case (RFC 5321, section 4.1.1.4).
            let expected = body.utf8.last == 10 || body.isEmpty ? body : body + "\n"
            #expect(text.replacing("\r\n", with: "\n").utf8.elementsEqual(expected.utf8))
            #expect(content.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    /// Decodes quoted-printable with Python's `quopri`.
    private static func decoded(_ text: String) throws -> String {
        let process = SpawnedProcess()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            "-c", "import quopri, sys; sys.stdout.buffer.write(quopri.decodestring(sys.stdin.buffer.read()))",
        ]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `a decoy is not sent to a server`() async throws {
        let world = try MailWorld()
        let decoy = OutboxMessage(
            id: "00", recipient: nil, subject: "", body: "", createdAt: Timestamp(milliseconds: 0), expiresAt: nil)
        #expect(await world.failure(decoy) == nil)
        #expect(try world.server.log().isEmpty)
    }

    @Test func `a message counts as delivered once it is accepted, even if QUIT gets no reply`() async throws {
        let world = try MailWorld(.fromStart, ["--reply", "QUIT="])
        #expect(await world.failure(.to()) == nil)
        #expect(world.mailer.lastReply == "250 2.0.0 queued as 12345")
    }

    @Test(arguments: [
        ("app.example.org", "app.example.org"), ("[192.0.2.1]", "[192.0.2.1]"),
        ("Küche.example", "xn--kche-0ra.example"),
    ])
    func `the mail server learns the configured name`(hello: String, sent: String) async throws {
        let world = try MailWorld(
            .none, ["--raw", "220 mail.test\r\n", "--raw", "550 no\r\n"], scheme: "smtp", hello: hello)
        _ = await world.failure(.to())
        #expect(try world.logged("raw").joined().hasPrefix("EHLO \(sent)\r\n"))
    }

    @Test func `without a configured name, the mail server learns one with a domain`() async throws {
        let world = try MailWorld(
            .none, ["--raw", "220 mail.test\r\n", "--raw", "550 no\r\n"], scheme: "smtp")
        _ = await world.failure(.to())
        let name = try #require(try world.logged("raw").joined().firstMatch(of: #/^EHLO (\S+)\r\n/#)).output.1
        #expect(name.contains("."), "\(name)")
    }

    // MARK: Encryption

    @Test func `a relay on this machine gets messages without TLS only if the setting requests it`() async throws {
        let relay = try MailWorld(.none, scheme: "smtp", isPlain: true)
        #expect(await relay.failure(.to()) == nil)
        #expect(try relay.messages().count == 1)
        #expect(try relay.server.log().contains { $0["encrypted"] == .bool(false) })
        let other = try MailWorld(.none, scheme: "smtp")
        #expect(await other.failure(.to())?.reason == .unencrypted)
        #expect(try other.messages().isEmpty)
    }

    @Test func `a server without STARTTLS gets neither the password nor the message`() async throws {
        let world = try MailWorld(
            .none,
            [
                "--raw", "220 mail.test\r\n", "--raw", "250-mail.test\r\n250 AUTH PLAIN LOGIN\r\n", "--raw",
                "250 OK\r\n",
            ],
            scheme: "smtp", login: true)
        #expect(await world.failure(.to())?.reason == .unencrypted)
        let sent = try world.logged("raw").joined()
        #expect(sent.hasPrefix("EHLO ") && !sent.contains("AUTH") && !sent.contains("MAIL"))
    }

    @Test(arguments: [MailWorld.Encryption.fromStart, .startTLS])
    func `a certificate for another host is refused`(encryption: MailWorld.Encryption) async throws {
        let certificates = try Certificates.shared.get()
        let world = try MailWorld(encryption, certificate: certificates.other, login: true)
        #expect(await world.failure(.to())?.reason == .certificate)
        #expect(try world.server.log().isEmpty)
    }

    @Test(arguments: [MailWorld.Encryption.fromStart, .startTLS])
    func `a certificate of an unknown authority is refused`(encryption: MailWorld.Encryption) async throws {
        let world = try MailWorld(encryption, trusted: false, login: true)
        #expect(await world.failure(.to())?.reason == .certificate)
        #expect(try world.server.log().isEmpty)
    }

    @Test func `a server without TLS at an smtps URL is refused`() async throws {
        let world = try MailWorld(.none, login: true)
        let failure = await world.failure(.to())
        #expect(failure?.reason == .unencrypted && failure?.isPermanent == false)
        #expect(try world.server.log().isEmpty)
    }

    // MARK: Refusals

    @Test(arguments: [
        ("MAIL=451 4.3.0 later", MailServerFailure.Reason.refusedForNow, 451),
        ("RCPT=450 4.2.0 greylisted", .refusedForNow, 450), ("DATA=452 4.3.1 full", .refusedForNow, 452),
        ("MAIL=553 5.7.1 not your address", .sender, 553), ("RCPT=550 5.1.1 unknown", .refused, 550),
        ("RCPT=530 5.7.0 log in first", .sender, 530), ("DATA=554 5.6.0 no", .refused, 554),
    ])
    func `a failure contains the reason and the reply of the server`(
        reply: String, reason: MailServerFailure.Reason, code: Int
    ) async throws {
        let world = try MailWorld(.fromStart, ["--reply", reply])
        let line = reply.drop { $0 != "=" }.dropFirst()
        let failure = await world.failure(.to())
        #expect(failure == MailServerFailure(reason, code: code, reply: String(line)))
        #expect(failure?.isPermanent == (reason == .refused))
        #expect(world.mailer.lastReply == nil)
    }

    @Test func `a wrong SMTP password is not a permanent failure`() async throws {
        let world = try MailWorld(.fromStart, ["--login", "desk@example.org", "another"], login: true)
        let failure = await world.failure(.to())
        #expect(failure?.reason == .login && failure?.code == 535 && failure?.isPermanent == false)
        #expect(try world.logged("mail").isEmpty)
    }

    @Test func `a login failure that the server reports as temporary is temporary`() async throws {
        let world = try MailWorld(
            .fromStart, ["--login", "desk@example.org", "x", "--reply", "AUTH=454 4.7.0 try later"], login: true)
        #expect(await world.failure(.to())?.reason == .refusedForNow)
    }

    @Test(arguments: [
        "250 mail.test\r\n", "250-mail.test\r\n250 AUTH CRAM-MD5\r\n", "250-mail.test\r\n250 auth PLAIN\r\n",
    ])
    func `a server without a supported login method gets no message`(hello: String) async throws {
        let world = try MailWorld(
            .fromStart, ["--raw", "220 mail.test\r\n", "--raw", hello, "--raw", "250 OK\r\n"], login: true)
        #expect(await world.failure(.to())?.reason == .login)
        #expect(try !world.logged("raw").joined().contains("MAIL"))
    }

    @Test func `a reply is truncated and its control characters are escaped`() async throws {
        let world = try MailWorld(.fromStart, ["--reply", "RCPT=550 \u{1B}[2J" + String(repeating: "x", count: 450)])
        let reply = try #require(await world.failure(.to())?.reply)
        #expect(reply.hasPrefix("550 \\u{1B}[2Jxxx") && reply.utf8.count < 600)
    }

    @Test func `endless replies end the transfer`() async throws {
        let text = "250-" + String(repeating: "x", count: 400) + "\r\n"
        let world = try MailWorld(.fromStart, ["--raw", String(repeating: text, count: 200)])
        #expect(await world.failure(.to())?.reason == .failed)
    }

    @Test func `a reply that is not SMTP is a temporary failure`() async throws {
        let world = try MailWorld(.fromStart, ["--raw", "HTTP/1.1 400 Bad Request\r\n\r\n"], limits: Self.short)
        #expect(await world.failure(.to())?.isPermanent == false)
    }

    // MARK: Time and network

    private static let short = TransferLimits(connect: .seconds(10), total: .milliseconds(300))

    @Test(arguments: ["MAIL", "RCPT", "DATA"])
    func `a slow server times out`(command: String) async throws {
        let world = try MailWorld(.fromStart, ["--reply", command + "="], limits: Self.short)
        let failure = await world.failure(.to())
        #expect(failure?.reason == .timedOut && failure?.isPermanent == false)
    }

    @Test func `a server that does not listen is unreachable`() async throws {
        let closed = try ClosedPort()
        let mailer = SMTPMailer(
            try SMTPServer(url: "smtps://127.0.0.1:\(closed.number)", login: nil, sender: "desk@example.org"),
            threads: WorkerThreads(count: 1, waitingLimit: 1))
        await #expect(throws: MailerError.server(MailServerFailure(.unreachable))) { try await mailer.deliver(.to()) }
        withExtendedLifetime(closed) {}
    }

    // MARK: Recipients

    @Test(arguments: [
        "ada@example.net\r\nRCPT TO:<eve@example.net>", "ada@example.net\nDATA", "ada\u{0}@example.net",
        "a da@example.net",
        "<ada@example.net>", "ada@example.net> SIZE=1", "ada@example.net,eve@example.net", "@example.net", "ada@",
        "ada",
        "", "\"ada\"@example.net", "ada@[127.0.0.1]", "ada@example.net.", "ada\u{7F}@example.net",
        "ada\u{85}@example.net",
        "ada\u{2028}@example.net", "ada@exa\u{202E}mple.net", String(repeating: "a", count: 65) + "@example.net",
    ])
    func `a recipient that could inject a command is refused before a connection`(recipient: String) async throws {
        let world = try MailWorld()
        let failure = await world.failure(.to(recipient))
        #expect(failure?.reason == .address && failure?.isPermanent == true && failure?.reply == nil)
        #expect(try world.server.log().isEmpty)
    }

    @Test func `a recipient whose stored forms differ is refused`() async throws {
        let world = try MailWorld()
        let message = OutboxMessage(
            id: "00", recipient: EmailAddress(storedAs: "eve@example.net", folded: "ada@example.net"), subject: "",
            body: "", createdAt: Timestamp(milliseconds: 0), expiresAt: nil)
        #expect(await world.failure(message)?.reason == .address)
    }

    @Test func `a non-ASCII domain is sent in its ASCII form`() async throws {
        let world = try MailWorld()
        #expect(await world.failure(.to("ada@bücher.example")) == nil)
        #expect(try world.logged("rcpt") == ["ada@xn--bcher-kva.example"])
        #expect(try world.messages().first?.contains("\r\nTo: <ada@xn--bcher-kva.example>\r\n") == true)
    }

    @Test func `a non-ASCII local part requires SMTPUTF8`() async throws {
        let with = try MailWorld(.fromStart, ["--utf8"])
        #expect(await with.failure(.to("adá@example.net")) == nil)
        #expect(try with.logged("rcpt") == ["adá@example.net"])
        #expect(
            try with.server.log().first { $0["mail"] != nil }?["options"]?.elements?.contains(.string("SMTPUTF8"))
                == true)
        #expect(try with.messages().first?.contains("\r\nTo: <adá@example.net>\r\n") == true)
        for encryption in [MailWorld.Encryption.fromStart, .startTLS] {
            let without = try MailWorld(encryption)
            let failure = await without.failure(.to("adá@example.net"))
            #expect(failure?.reason == .international && failure?.isPermanent == true)
            #expect(try without.logged("mail").isEmpty)
        }
    }

    // MARK: Secrets

    @Test func `the SMTP password is never printed`() throws {
        let server = try SMTPServer(
            url: "smtps://mail.example.org", login: SMTPServer.Login(user: "u", password: Secret("hidden")),
            sender: "desk@example.org")
        var dumped = ""
        dump(server, to: &dumped)
        #expect(!"\(server) \(String(reflecting: server)) \(dumped)".contains("hidden"))
    }
}
