public import LatchkeyForms
public import LatchkeySecrets
import LatchkeyText

/// What may be set as a password, whatever a form has let through. Never asked when a password is judged, so that older
/// and imported ones keep working.
public struct PasswordPolicy: Sendable {
    /// In code points, after preparation (NIST SP 800-63B-4, section 3.1.1.2).
    public var minimumLength: Int

    public var commonPasswords: CommonPasswords

    public init(minimumLength: Int = PolicyPreset.standard.minimumLength, commonPasswords: CommonPasswords = .standard)
    {
        self.minimumLength = minimumLength
        self.commonPasswords = commonPasswords
    }

    /// What `preset` asks of a password.
    public init(_ preset: PolicyPreset, commonPasswords: CommonPasswords = .standard) {
        self.init(minimumLength: preset.minimumLength, commonPasswords: commonPasswords)
    }

    /// Why `password` may not be set, as every front is told: nil where it may.
    ///
    /// - Parameter context: whose password it is to be.
    /// - Throws: ``AccountError/blocklist(_:)`` where nobody can say; ``AccountError/outOfMemory``.
    public func failure(
        of password: Secret, for field: FieldKey = .password, in context: PasswordContext = PasswordContext()
    ) throws(AccountError) -> RuleFailure? {
        do throws(AccountError) {
            _ = try prepare(password, for: field, of: context)
            return nil
        } catch .refused(let failures) {
            return failures.first
        }
    }

    /// The password as it is hashed: prepared as RFC 8265, section 4.2 (OpaqueString) says.
    ///
    /// - Parameter context: whose password it is to be.
    /// - Throws: ``AccountError/refused(_:)`` with one failure of `field`; ``AccountError/blocklist(_:)`` where nobody can
    ///   say whether it is a common one; ``AccountError/outOfMemory``.
    func prepare(
        _ password: Secret, for field: FieldKey, of context: PasswordContext
    ) throws(AccountError) -> Secret {
        let prepared: Secret
        do {
            prepared = try OpaqueString.prepared(password)
        } catch .outOfMemory {
            throw .outOfMemory
        } catch .tooLong {
            let values = ["maximum": RuleFailure.Value.integer(OpaqueString.maximumByteCount)]
            throw .refused([RuleFailure(code: .tooLong, values: values, field: field)])
        } catch {
            throw .refused([RuleFailure(code: .invalidUTF8, field: field)])
        }
        if let failure = failure(of: password, prepared: prepared) { throw .refused([failure.of(field)]) }
        if let reason = try reason(against: prepared, in: context) { throw .refused([RuleFailure(reason).of(field)]) }
        return prepared
    }

    private func reason(
        against prepared: Secret, in context: PasswordContext
    ) throws(AccountError) -> CommonPasswords.Reason? {
        do throws(BlocklistError) {
            return try commonPasswords.reason(against: prepared, in: context)
        } catch .outOfMemory {
            throw .outOfMemory
        } catch {
            throw .blocklist(error)
        }
    }

    /// The first that a form would tell. Lengths are the prepared one's; characters are judged as they were typed, for
    /// preparation makes a text longer at times.
    private func failure(of password: Secret, prepared: Secret) -> RuleFailure? {
        let hasNUL = password.withBytes { bytes in bytes.indices.contains { bytes[$0] == 0 } }
        if hasNUL { return RuleFailure(code: .nul) }
        let length = MinLengthRule(minimumLength, unit: .scalars)
        return prepared.failure(of: length) ?? password.failure(of: PasswordRule())
    }
}

extension Secret {
    fileprivate func failure(of rule: any Rule) -> RuleFailure? {
        withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return RuleFailure(code: .invalidUTF8) }
            return rule.check(text, in: FormValues())
        }
    }
}

extension RuleFailure {
    /// The same, said of `field`.
    func of(_ field: FieldKey) -> RuleFailure {
        RuleFailure(code: code, values: values, field: field, rule: rule)
    }
}

extension PasswordContext {
    /// What is known of an account's owner.
    init(_ account: Account) {
        self.init(username: account.username.typed, email: account.email.typed, attributes: account.attributes)
    }
}
