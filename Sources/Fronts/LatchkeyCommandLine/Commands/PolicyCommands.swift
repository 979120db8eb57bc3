import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

/// `policy show`: lists the limits of the policy and marks those that deviate from NIST SP 800-63B-4.
struct PolicyShowCommand {
    static let spec = CommandSpec(
        words: ["policy", "show"], summary: "Show the current policy",
        about:
            "Show each number of the current policy (--policy), and where it departs from NIST SP 800-63B-4. Does not"
            + " open the store.",
        statuses: [.done, .usage, .inputOutput, .configuration],
        examples: ["latchkey policy show", "latchkey policy show --policy nist --json"]
    ) { (context) async throws(ToolFailure) in
        PolicyShowCommand(context.settings.policy).result(context.messages)
    }

    struct Line {
        enum Unit { case number, seconds }

        /// The stable name of the limit. Its sentence has the code `policy.` followed by this name.
        let rule: String
        let value: JSONValue
        /// The variant of the sentence, for a value that is not a number.
        var variant: String?
        /// The section of NIST SP 800-63B-4 for this limit; nil if there is none.
        var section: String?
        /// The number that NIST SP 800-63B-4 requires; nil if the requirement is not a number.
        var required: Int?
        var departs = false
        var unit = Unit.number
    }

    /// The minimum number of code points in a password that is the only factor (NIST SP 800-63B-4, section 3.1.1.2).
    private static let minimumLength = 15
    /// The maximum number of consecutive failures (NIST SP 800-63B-4, section 3.2.2).
    private static let failureLimit = 100

    private let name: String
    private let lines: [Line]

    /// Whether no limit deviates from NIST SP 800-63B-4.
    private var meetsNIST: Bool { lines.allSatisfy { !$0.departs } }

    private init(_ preset: PolicyPreset) {
        name = preset.name
        let sessions = preset.sessions
        let limit = preset.failuresUntilRecovery
        func lasting(_ rule: String, _ duration: Duration, section: String? = nil, departs: Bool = false) -> Line {
            Line(
                rule: rule, value: .integer(Int(duration.components.seconds)), section: section, departs: departs,
                unit: .seconds)
        }
        lines = [
            Line(
                rule: "minimum_length", value: .integer(preset.minimumLength), section: "3.1.1.2",
                required: Self.minimumLength, departs: preset.minimumLength < Self.minimumLength),
            Line(
                rule: "minimum_length_with_factor", value: .integer(preset.minimumLengthWithFactor), section: "3.1.1.2"),
            Line(rule: "maximum_bytes", value: .integer(OpaqueString.maximumByteCount), section: "3.1.1.2"),
            Line(rule: "common_passwords", value: .bool(true), section: "3.1.1.2"),
            Line(rule: "composition", value: .bool(false), section: "3.1.1.2"),
            lasting("longest_delay", ThrottleSchedule.longestDelay, section: "3.2.2"),
            Line(
                rule: "failures_until_recovery", value: limit.map { .integer($0) } ?? .null,
                variant: limit == nil ? "none" : nil, section: "3.2.2", required: Self.failureLimit,
                departs: limit.map { $0 > Self.failureLimit } ?? true),
            Line(rule: "guesses_in_30_days", value: .integer(preset.guesses(in: .seconds(30 * 86400)))),
            // A password alone is AAL1: at most 30 days, without a limit for idle sessions.
            lasting(
                "session_absolute", sessions.absolute, section: "2.1.3",
                departs: sessions.absolute > .seconds(30 * 86400)),
            lasting("session_idle", sessions.idle, section: "2.1.3"),
            Line(rule: "sessions_per_account", value: .integer(sessions.perAccount)),
            Line(
                rule: "sessions_on_disk", value: .bool(preset.keepsSessionsOnDisk),
                variant: preset.keepsSessionsOnDisk ? "on" : nil, section: "5.1", departs: preset.keepsSessionsOnDisk),
            lasting("reauthentication", SessionLimits.recentlyAuthenticated),
            lasting("recovery_code", RecoveryCode.lifetime, section: "4.2.1.2"),
            lasting("operator_code", RecoveryCode.operatorLifetime, section: "4.2.1.2"),
            Line(
                rule: "operator_password", value: .bool(preset.operatorPasswordsMustChange),
                variant: preset.operatorPasswordsMustChange ? "on" : nil),
            Line(rule: "generated_password_bits", value: .integer(GeneratedPassword.bits)),
            lasting("generated_password", GeneratedPassword.lifetime),
        ]
    }
}

extension PolicyShowCommand.Line {
    fileprivate func sentence(_ messages: MessageTable) -> String {
        var values: [String: RuleFailure.Value] = [:]
        if case .integer(let number) = value {
            values["value"] = unit == .seconds ? .text(messages.duration(seconds: number)) : .integer(number)
        }
        return messages.sentence("policy." + rule + (variant.map { "." + $0 } ?? ""), values)
    }

    /// The requirement of NIST; nil if the line does not deviate.
    fileprivate func departure(_ messages: MessageTable) -> String? {
        guard departs, let section else { return nil }
        let asked =
            if let required {
                messages.sentence("policy." + rule + ".required", ["required": .integer(required)])
            } else {
                messages.sentence("policy." + rule + ".nist")
            }
        return messages.sentence("policy.departure", ["section": .text(section), "nist": .text(asked)])
    }
}

extension PolicyShowCommand {
    private func result(_ messages: MessageTable) -> CommandResult {
        let rules = lines.map { line -> JSONValue in
            .object([
                ("rule", .string(line.rule)), ("value", line.value),
                ("section", line.section.map { .string($0) } ?? .null), ("departs", .bool(line.departs)),
                ("message", .string(line.sentence(messages))),
            ])
        }
        var text = [messages.sentence("policy.title", ["name": .text(name)])]
        for line in lines {
            text.append("  " + line.sentence(messages))
            if let departure = line.departure(messages) { text.append("    " + departure) }
        }
        text.append(messages.sentence(meetsNIST ? "policy.meets" : "policy.departs"))
        return .sentences(
            text,
            json: [("policy", .string(name)), ("meets_nist", .bool(meetsNIST)), ("rules", .array(rules))])
    }
}

/// `policy test`: validates one password with the policy.
struct PolicyTestCommand {
    static let spec = CommandSpec(
        words: ["policy", "test"], summary: "Test a password against the policy",
        about:
            "Test one password against the current policy. The other flags describe its owner, because a password must"
            + " not be derived from them. Does not open the store or print the password.",
        form: .flow(.setup), readsLists: true,
        statuses: [.done, .usage, .data, .noInput, .unavailable, .system, .inputOutput, .configuration],
        examples: [
            "latchkey policy test --username ada --email ada@example.org",
            "printf '%s\\n' 'correct horse battery' | latchkey policy test --policy nist --password-stdin",
        ]
    ) { (context) async throws(ToolFailure) in try await PolicyTestCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let setup = context.forms.form(for: .setup)
        let values = try FieldFlags(of: context, form: setup)
        let owner = try owner(values, setup)
        let password = try await password(values)
        let failure: RuleFailure?
        do throws(AccountError) {
            failure = try context.passwordPolicy.failure(of: password, in: owner)
        } catch {
            throw ToolFailure(error)
        }
        if let failure { throw ToolFailure.refusal([failure], in: setup, context.messages) }
        let name = context.settings.policy.name
        return .sentence(
            "policy.passed", ["name": .text(name)], json: [("policy", .string(name)), ("valid", .bool(true))])
    }

    /// The password, without the rules of the sign-up form, because this command only tests the policy.
    private func password(_ values: FieldFlags) async throws(ToolFailure) -> Secret {
        if let given = values.bytes(.password) { return given }
        let form = Form(
            id: "policyTest", title: context.messages.sentence("policy.ask"),
            submit: context.messages.sentence("policy.submit"), fields: [AnyPasswordField()])
        let front = FlagsFront(form: form, values: FieldFlags(), messages: context.messages)
        let answers =
            if let terminal = Terminal(context) { try await terminal.ask(form, front.values) } else {
                try front.credentials()
            }
        guard let password = answers.secret(.password) else { throw .internal }
        return password
    }

    /// The password's owner, according to the flags.
    private func owner(_ values: FieldFlags, _ form: Form) throws(ToolFailure) -> PasswordContext {
        var texts: [String: FieldValue] = [:]
        for field in form.fields where !field.isSecret {
            let key = field.apiKey
            guard let bytes = values.bytes(key) else { continue }
            guard let text = bytes.textIfValid else {
                throw ToolFailure.refusal([RuleFailure(code: .invalidUTF8, field: key)], in: form, context.messages)
            }
            texts[key.rawValue] = .text(text)
        }
        let username = texts.removeValue(forKey: FieldKey.username.rawValue)?.text
        let email = texts.removeValue(forKey: FieldKey.email.rawValue)?.text
        var context = PasswordContext(username: username, email: email ?? "", attributes: texts)
        context.email = email
        return context
    }
}

/// A password field without rules.
private struct AnyPasswordField: FormTextField {
    let apiKey = FieldKey.password
    let placeholder = "Password"
    let isSecret = true
}
