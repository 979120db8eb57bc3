import LatchkeyAccounts
import LatchkeyPasskeys
import LatchkeySecrets

extension FuzzTarget {
    /// Each value has exactly one encoding in the canonical form.
    static let cbor = FuzzTarget("cbor", upTo: 2_000) { bytes in
        guard let value = try? CBORReader.value(of: bytes) else { return nil }
        if encoded(value) != bytes { return "a value is encoded otherwise than it was read" }
        if depth(of: value) > CBORReader.maximumDepth { return "a value is nested too deep" }
        // If more bytes follow, the value ends at the same offset.
        guard var reader = try? CBORReader(bytes + [0xFF]), (try? reader.next()) == value, reader.offset == bytes.count
        else { return "a value reads what follows it" }
        if (try? CBORReader.value(of: bytes + [0xFF])) != nil { return "bytes after the value are ignored" }
        return nil
    }

    /// A byte that chooses between registration and login, the length of the client data in two bytes, the client data,
    /// and then the attestation object, or the authenticator data with up to 72 bytes of signature. The fuzzer cannot
    /// sign, so that every login has to be refused.
    static let passkeys = FuzzTarget("passkeys", upTo: 4_000) { bytes in
        guard bytes.count >= 3 else { return nil }
        let clientEnd = min(bytes.count, 3 + (Int(bytes[1]) << 8 | Int(bytes[2])))
        let (client, rest) = (Array(bytes[3..<clientEnd]), Array(bytes[clientEnd...]))
        return bytes[0] & 1 == 0 ? registrationFinding(client, rest) : assertionFinding(client, rest)
    }

    private static let ceremony = PasskeyCeremony(
        challenge: [UInt8](repeating: 7, count: 32),
        relyingParty: RelyingParty(
            id: "localhost", origins: [WebOrigin("http://localhost:8080")].compactMap(\.self)))

    private static func registrationFinding(_ client: [UInt8], _ object: [UInt8]) -> String? {
        let registration = PasskeyRegistration(clientDataJSON: client, attestationObject: object, transports: ["usb"])
        guard let credential = try? ceremony.verify(registration) else { return nil }
        if !(1...1023).contains(credential.id.count) { return "a credential ID of \(credential.id.count) bytes" }
        guard (try? COSEKey(credential.publicKey)) != nil else { return "a public key that cannot be read" }
        if credential.isBackedUp, !credential.isBackupEligible { return "a backup that is not possible" }
        return nil
    }

    private static func assertionFinding(_ client: [UInt8], _ rest: [UInt8]) -> String? {
        let dataEnd = max(min(rest.count, 37), rest.count - 72)
        let assertion = PasskeyAssertion(
            credentialID: [1], clientDataJSON: client, authenticatorData: Array(rest[..<dataEnd]),
            signature: Array(rest[dataEnd...]), userHandle: nil)
        // The public key of RFC 6979, appendix A.2.5.
        let credential = PasskeyCredential(
            id: [1], publicKey: [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20] + x + [0x22, 0x58, 0x20] + y,
            signCount: 0, isBackupEligible: false, isBackedUp: false, transports: [])
        do throws(PasskeyFailure) {
            _ = try ceremony.verify(assertion, by: credential, userHandle: [1], isUserKnown: true)
            return "a login without a signature"
        } catch {
            return error == .malformedKey || error == .unsupportedAlgorithm ? "the stored key is refused" : nil
        }
    }

    private static let x = bytes("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
    private static let y = bytes("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    private static func depth(of value: CBORValue) -> Int {
        switch value {
        case .array(let values): 1 + (values.map(depth).max() ?? 0)
        case .map(let entries): 1 + (entries.map { depth(of: $0.value) }.max() ?? 0)
        default: 0
        }
    }

    /// An encoder that is independent of the reader.
    private static func encoded(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .integer(let number): number < 0 ? head(1, UInt64(~number)) : head(0, UInt64(number))
        case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
        case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let values): head(4, UInt64(values.count)) + values.flatMap(encoded)
        case .map(let entries):
            head(5, UInt64(entries.count))
                + entries.map { (encoded($0.key), encoded($0.value)) }
                .sorted { $0.0.lexicographicallyPrecedes($1.0) }.flatMap { $0.0 + $0.1 }
        case .boolean(let value): [value ? 0xF5 : 0xF4]
        }
    }

    private static func head(_ major: UInt8, _ number: UInt64) -> [UInt8] {
        let size =
            switch number {
            case 0..<24: 0
            case 24...0xFF: 1
            case 0x100...0xFFFF: 2
            case 0x1_0000...0xFFFF_FFFF: 4
            default: 8
            }
        let detail: UInt8 = size == 0 ? UInt8(number) : 24 + UInt8(size.trailingZeroBitCount)
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (size - 1 - $0))) }
        return [major << 5 | detail] + bytes
    }
}
