public import LatchkeyAccounts
public import LatchkeySecrets

/// An authenticator app with the secret of one account.
public struct Phone: Sendable {
    private let totp: TOTP

    /// Nil unless the key of `new` is a secret in base 32.
    public init?(_ new: NewAuthenticator) { self.init(typeableSecret: new.typeableSecret) }

    /// Nil unless the key is a secret in base 32.
    public init?(typeableSecret: Secret) {
        let totp = typeableSecret.withBytes { text in
            let symbols = text.indices.map { text[$0] }.filter { $0 != UInt8(ascii: " ") }
            return TOTP(base32: symbols.span)
        }
        guard let totp else { return nil }
        self.totp = totp
    }

    /// The code that the app shows at the time of `clock`, or `steps` steps later.
    public func code(_ clock: VirtualClock, steps: Int64 = 0) -> Secret {
        totp.code(at: TOTP.step(at: clock.now()) + steps)
    }
}
