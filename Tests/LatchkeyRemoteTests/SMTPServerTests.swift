import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyRemote

@Suite(.timeLimit(.minutes(60)))
struct SMTPServerTests {
    private func server(_ json: String, password: String = "secret") throws -> SMTPServer {
        let json = try #require(JSONValue(line: json.utf8))
        return try SMTPServer(json: json) { (_) throws(SMTPServerError) in Secret(password) }
    }

    private func error(_ json: String, password: String = "secret") throws -> SMTPServerError? {
        do {
            _ = try server(json, password: password)
            return nil
        } catch let error as SMTPServerError {
            return error
        }
    }

    @Test func `the server's URL, login and sender are read from the configuration`() throws {
        let full = try server(
            #"{"smtp":{"url":"smtps://Mail.example.org","user":"desk","password_file":"/etc/pw","from":"Desk <desk@example.org>"}}"#
        )
        #expect(full.url == "smtps://mail.example.org:465" && !full.needsSTARTTLS)
        #expect(full.login?.user == "desk" && full.login?.password.text == "secret")
        #expect(full.sender == "Desk <desk@example.org>" && full.senderAddress.typed == "desk@example.org")
        let least = try server(#"{"smtp":{"url":"smtp://localhost","from":"desk@example.org"}}"#)
        #expect(least.url == "smtp://localhost:587" && least.needsSTARTTLS && least.login == nil)
        #expect(!least.isPlain)
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            let relay = try server(
                #"{"smtp":{"url":"smtp://\#(host):25","from":"a@example.org","tls":"none","hello":"[IPv6:2001:db8::1]"}}"#
            )
            #expect(relay.isPlain && !relay.needsSTARTTLS && relay.hello == "[IPv6:2001:db8::1]")
        }
        #expect(try server(#"{"smtp":{"url":"smtp://[::1]:25/","from":"a@example.org"}}"#).url == "smtp://[::1]:25")
    }

    @Test(
        arguments: [
            ("[]", .notAnObject), ("{}", .notAnObject), (#"{"smtp":[]}"#, .notAnObject),
            (#"{"smtp":{},"x":1}"#, .notAnObject),
            (#"{"smtp":{"host":"x"}}"#, .unknownMember("host")), (#"{"smtp":{"url":1}}"#, .notText("url")),
            (#"{"smtp":{"url":null}}"#, .notText("url")), (#"{"smtp":{"from":"a@example.org"}}"#, .missing("url")),
            (#"{"smtp":{"url":"smtps://x"}}"#, .missing("from")),
            (#"{"smtp":{"url":"smtps://x","from":"a@example.org","user":"u"}}"#, .missing("password_file")),
            (#"{"smtp":{"url":"smtps://x","from":"a@example.org","password_file":"/p"}}"#, .missing("user")),
            (
                #"{"smtp":{"url":"smtps://x","from":"a@example.org","user":"u","password_file":"p"}}"#,
                .relativePath("p")
            ),
            (#"{"smtp":{"url":"smtps://x","from":"a@example.org","user":"","password_file":"/p"}}"#, .user),
            (#"{"smtp":{"url":"smtps://x","from":"a@example.org","user":"a\u0000b","password_file":"/p"}}"#, .user),
            (#"{"smtp":{"url":"smtps://x","from":"a@example.org","hello":"a b"}}"#, .hello),
            (#"{"smtp":{"url":"smtps://x","from":"a@example.org","hello":"[300.0.0.1]"}}"#, .hello),
            (#"{"smtp":{"url":"smtps://x","from":"a@example.org","hello":"[127.0.0.1\u0000x]"}}"#, .hello),
            (#"{"smtp":{"url":"smtps://x","from":"a@example.org","hello":"[IPv6:::1\u0000x]"}}"#, .hello),
            (#"{"smtp":{"url":"smtps://x","from":"a@example.org","hello":"x\r\nQUIT"}}"#, .hello),
            (#"{"smtp":{"url":"smtp://localhost","from":"a@example.org","tls":"off"}}"#, .plain),
            (#"{"smtp":{"url":"smtp://mail.example.org","from":"a@example.org","tls":"none"}}"#, .plain),
            (#"{"smtp":{"url":"smtps://localhost","from":"a@example.org","tls":"none"}}"#, .plain),
            (
                #"{"smtp":{"url":"smtp://localhost","from":"a@example.org","tls":"none","user":"u","password_file":"/p"}}"#,
                .plain
            ),
            (#"{"smtp":{"url":"http://x","from":"a@example.org"}}"#, .url),
            (#"{"smtp":{"url":"smtps://u:p@x","from":"a@example.org"}}"#, .url),
            (#"{"smtp":{"url":"smtps://x/helo","from":"a@example.org"}}"#, .url),
            (#"{"smtp":{"url":"x","from":"a@example.org"}}"#, .url),
            (#"{"smtp":{"url":"smtps://x","from":"desk"}}"#, .sender),
            (#"{"smtp":{"url":"smtps://x","from":"Desk <a@example.org>, <b@example.org>, x"}}"#, .sender),
            (#"{"smtp":{"url":"smtps://x","from":"Desk\r\nBcc: e@example.org <a@example.org>"}}"#, .sender),
            (#"{"smtp":{"url":"smtps://x","from":"<a@example.org\r\nDATA>"}}"#, .sender),
        ] as [(String, SMTPServerError)])
    func `an invalid description is refused with its reason`(json: String, expected: SMTPServerError) throws {
        #expect(try error(json) == expected)
    }

    @Test(arguments: ["", "a\nb", "a\rb", "a\u{0}b", String(repeating: "x", count: 1025)])
    func `a password that cannot be sent is refused`(password: String) throws {
        let json = #"{"smtp":{"url":"smtps://x","from":"a@example.org","user":"u","password_file":"/p"}}"#
        #expect(try error(json, password: password) == .password)
    }

    @Test(arguments: [
        ("pass word", "pass word"), ("word\n", "word"), ("word\r\n", "word"), ("wörd \n", "wörd "), ("", ""),
    ])
    func `a password file must have one line`(content: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(content.utf8, to: "password")
        #expect(try SMTPServer.password(at: path).text == expected)
    }

    @Test func `a password file that others can read, or that cannot be read, is refused`() throws {
        let folder = try TemporaryFolder()
        for mode: mode_t in [0o640, 0o604, 0o660] {
            let path = try folder.write("word".utf8, to: "password", mode: mode)
            #expect(throws: SMTPServerError.passwordFile(path: path, .exposed)) { try SMTPServer.password(at: path) }
        }
        let missing = folder.path(of: "missing")
        #expect(throws: SMTPServerError.passwordFile(path: missing, .missing)) { try SMTPServer.password(at: missing) }
        #expect(throws: SMTPServerError.passwordFile(path: folder.path, .unreadable)) {
            try SMTPServer.password(at: folder.path)
        }
        let long = try folder.write(String(repeating: "x", count: 2000).utf8, to: "long")
        #expect(throws: SMTPServerError.password) { try SMTPServer.password(at: long) }
    }
}
