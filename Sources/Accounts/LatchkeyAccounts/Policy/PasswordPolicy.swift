public import LatchkeyForms
public import LatchkeySecrets
import LatchkeyText

/// Decides which new passwords are accepted, independently of form validation.
///
/// Verification ignores the policy, so that older and imported passwords still work.
public struct PasswordPolicy: Sendable {
    /// The minimum length in code points, after preparation (NIST SP 800-63B-4, section 3.1.1.2).
    public var minimumLength: Int

    /// The minimum length for an account with a second factor, at most ``minimumLength``.
    public var minimumLengthWithFactor: Int

    /// The blocklist of common passwords.
    public var commonPasswords: CommonPasswords

    /// Creates a policy from its parts.
    public init(minimumLength: Int = PolicyPreset.standard.minimumLength, commonPasswords: CommonPasswords = .standard)
    {
        self.minimumLength = minimumLength
        minimumLengthWithFactor = minimumLength
        self.commonPasswords = commonPasswords
    }

    /// Creates the policy of a preset.
    public init(_ preset: PolicyPreset, commonPasswords: CommonPasswords = .standard) {
        self.init(minimumLength: preset.minimumLength, commonPasswords: commonPasswords)
        minimumLengthWithFactor = preset.minimumLengthWithFactor
    }

    /// The policy for an account that has or needs a second factor.
    var withFactor: PasswordPolicy {
        var policy = self
        policy.minimumLength = min(minimumLength, minimumLengthWithFactor)
        return policy
    }

    /// The reason why `password` is refused; nil if it is accepted.
    ///
    /// - Parameters:
    ///   - context: the account to which the password belongs.
    ///   - password: the new password.
    ///   - field: the field that failures name.
    /// - Throws: ``AccountError/blocklist(_:)`` if the list of common passwords cannot be used;
    ///   ``AccountError/outOfMemory``.
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

    /// Validates a new password and prepares it for hashing with the OpaqueString profile (RFC 8265, section 4.2).
    ///
    /// - Parameter context: the account to which the password belongs.
    /// - Throws: ``AccountError/refused(_:)`` with one failure of `field`; ``AccountError/blocklist(_:)`` if the list
    ///   of common passwords cannot be used; ``AccountError/outOfMemory``.
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

    /// The first failure, in the order in which a form shows them. The length is checked after preparation. Characters
    /// are checked as typed, because preparation can make a password longer.
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
    /// The same failure for `field`.
    func of(_ field: FieldKey) -> RuleFailure {
        RuleFailure(code: code, values: values, field: field, rule: rule)
    }
}

extension PasswordContext {
    /// The owner's names and attributes, which a password must not contain.
    init(_ account: Account) {
        self.init(username: account.username?.typed, email: account.email.typed, attributes: account.attributes)
    }
}
