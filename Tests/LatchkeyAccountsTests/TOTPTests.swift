import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-66.
@Suite(.timeLimit(.minutes(60)))
struct TOTPTests {
    struct Vector: Decodable {
        let seconds: Int64
        let code: String
        let why: String
    }

    /// The secret of the vectors.
    private let totp = TOTP(secret("12345678901234567890"))

    private static func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    private static func secret(_ text: String) -> Secret { Secret(copying: text.utf8Span.span) }

    private static func text(_ secret: Secret) -> String {
        secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }

    private func step(_ typed: String, at seconds: Int64, after last: Int64? = nil, strict: Bool = false) -> Int64? {
        totp?.step(of: Self.secret(typed), at: Self.time(seconds), after: last, allowsPrevious: !strict)
    }

    @Test(arguments: try Fixture.rows(of: Vector.self, in: "secrets/totp.jsonl"))
    func `a code matches the published test vector`(row: Vector) throws {
        let totp = try #require(totp)
        #expect(Self.text(totp.code(at: TOTP.step(at: Self.time(row.seconds)))) == row.code, "\(row.why)")
        #expect(step(row.code, at: row.seconds) == row.seconds / 30)
    }

    @Test func `a code is accepted in its step and the next`() {
        // The code of step 2, which is valid from second 60 to 90.
        for (seconds, isAccepted) in [(59, false), (60, true), (89, true), (90, true), (119, true), (120, false)] {
            #expect((step("359152", at: Int64(seconds)) != nil) == isAccepted, "\(seconds)")
        }
        for (seconds, isAccepted) in [(59, false), (60, true), (89, true), (90, false)] {
            #expect((step("359152", at: Int64(seconds), strict: true) != nil) == isAccepted, "\(seconds)")
        }
    }

    @Test func `a used code is refused, and so is any earlier code`() {
        #expect(step("359152", at: 95, after: 1) == 2)
        #expect(step("359152", at: 95, after: 2) == nil)
        #expect(step("359152", at: 95, after: 3) == nil)
        // The clock went back.
        #expect(step("359152", at: 65, after: 3) == nil)
    }

    @Test(arguments: [
        "359152", "359 152", " 3591 52 ", "359\u{A0}152", "359\u{202F}152", "359-152", "359‑152", "359\t152\r\n",
        "\u{200E}359152\u{200F}", "３５９１５２", "３５９－１５２", "٣٥٩١٥٢", "۳۵۹ ۱۵۲", "३५९१५२",
    ])
    func `a code is accepted with digits of any script and any separators`(typed: String) {
        #expect(step(typed, at: 60) == 2)
        #expect(TOTP.isCode(Secret(typed)))
    }

    @Test(arguments: ["", "35915", "3591520", "359153", "35915x", "359+152", "35915²", "五三五一五二"])
    func `malformed codes are refused`(typed: String) { #expect(step(typed, at: 60) == nil) }

    @Test func `a time before 1970 belongs to the first step`() {
        #expect(TOTP.step(at: Timestamp(milliseconds: .min)) == 0)
        #expect(TOTP.step(at: Timestamp(milliseconds: .max)) > 0)
    }

    @Test func `a new secret has 160 bits`() throws { #expect(try TOTP(from: .system).secret.count == 20) }

    @Test func `secrets of 10 to 64 bytes are accepted`() {
        for (count, isAccepted) in [(9, false), (10, true), (19, true), (64, true), (65, false)] {
            #expect((TOTP(Self.secret(String(repeating: "1", count: count))) != nil) == isAccepted, "\(count)")
        }
    }

    /// S-150: other programs' secrets.
    @Test(arguments: [
        "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "gezdgnbvgy3tqojqgezdgnbvgy3tqojq",
        "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ",
        "gezd-gnbv-gy3t-qojq-gezd-gnbv-gy3t-qojq", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ======",
        "otpauth://totp/Site:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Site",
        "otpauth://totp/a?algorithm=SHA1&digits=6&period=30&secret=gezdgnbvgy3tqojqgezdgnbvgy3tqojq%3D%3D#x",
        "OTPAUTH://TOTP/a?Secret=GEZD%20GNBVGY3TQOJQGEZDGNBVGY3TQOJQ&image=https://example.org/a%26b",
    ])
    func `a secret of another program is accepted in any usual form`(text: String) throws {
        let totp = TOTP(imported: text.utf8Span.span)
        #expect(totp?.base32Text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "\(text)")
    }

    @Test(arguments: 10...64)
    func `a secret of any length is exported and imported again`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 251) }
        let secret = Secret(copying: bytes.span)
        let text = try #require(TOTP(secret)).base32Text
        let again = TOTP(imported: text.utf8Span.span)
        #expect(again?.secret.isEqual(to: secret) == true, "\(text)")
    }

    @Test(arguments: [
        "", "GEZDGNBVGY3TQOI", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1", "GEZDGNBVGY3TQOJQ=GEZDGNBVGY3TQOJQ",
        "GEZDGNBVGY3TQOJQG",
        "otpauth://totp/a", "otpauth://totp/a?issuer=x", "otpauth://totp/a?secret=", "otpauth://totp/a?secret=%4",
        "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&algorithm=SHA256",
        "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&digits=8",
        "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&period=60", "otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQ&counter=1",
        "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&secret=GEZDGNBVGY3TQOJQ", "otpauth://totp/a#?secret=GEZDGNBVGY3TQOJQ",
    ])
    func `a secret that Latchkey cannot use is refused`(text: String) {
        let totp = TOTP(imported: text.utf8Span.span)
        #expect(totp == nil, "\(text)")
    }

    @Test func `a secret is shown to the app in base 32`() throws {
        let totp = try #require(totp)
        #expect(Self.text(totp.typeableSecret) == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")
        #expect(
            Self.text(totp.uri(for: "ada@example.org", at: "Größe & Co"))
                == "otpauth://totp/Gr%C3%B6%C3%9Fe%20%26%20Co:ada@example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=Gr%C3%B6%C3%9Fe%20%26%20Co")
    }
}
