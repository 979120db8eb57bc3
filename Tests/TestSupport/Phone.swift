public import LatchkeyAccounts
public import LatchkeySecrets

/// An authenticator app with the secret of one account.
public struct Phone: Sendable {
    private let totp: TOTP

    /// Nil unless the text of `new` is a secret in base 32.
    public init?(_ new: NewAuthenticator) { self.init(typeableSecret: new.typeableSecret) }

    /// Nil unless the text is a secret in base 32.
    public init?(typeableSecret: Secret) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        let bytes = typeableSecret.withBytes { text -> [UInt8] in
            var bytes: [UInt8] = []
            var (bits, count) = (0 as UInt32, 0)
            for index in text.indices where text[index] != UInt8(ascii: " ") {
                guard let symbol = alphabet.firstIndex(of: text[index]) else { return [] }
                (bits, count) = (bits << 5 | UInt32(symbol), count + 5)
                if count >= 8 {
                    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count - 8)))
                    count -= 8
                }
            }
            return bytes
        }
        guard let totp = TOTP(Secret(copying: bytes.span)) else { return nil }
        self.totp = totp
    }

    /// What the app shows at the time of `clock`, or `steps` later.
    public func code(_ clock: VirtualClock, steps: Int64 = 0) -> Secret {
        totp.code(at: TOTP.step(at: clock.now()) + steps)
    }
}
