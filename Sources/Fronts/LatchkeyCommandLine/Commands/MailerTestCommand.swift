import LatchkeyAccounts
import LatchkeyForms

/// `mailer test`: sends a message, so that the operator can check whether it arrives.
enum MailerTestCommand {
    static let spec = CommandSpec(
        words: ["mailer", "test"], summary: "Send a test message",
        about:
            "Send a message to ADDRESS through the program or mail server of the setting \"mailer\", and print what a"
            + " server replied. Without that setting, put the message into the outbox next to the store and print its"
            + " folder: nothing sends it from there.",
        operand: CommandSpec.Operand(name: "ADDRESS", isRequired: true),
        delivers: true, statuses: [.done, .data] + ExitStatus.ofStores,
        examples: ["latchkey mailer test ada@example.org", "latchkey mailer test ada@example.org --json"]
    ) { (context) async throws(ToolFailure) in
        let address: EmailAddress
        do throws(RuleFailure) { address = try EmailAddress(context.operand ?? "") } catch {
            throw .badValue("ADDRESS", .emailAddress)
        }
        let installation = try await Installation.open(context, creating: false)
        do throws(MailerError) { try await installation.service.deliverTest(to: address) } catch {
            throw .mailer(error)
        }
        if let reply = installation.mailer.lastReply {
            return .sentence(
                "tool.message_accepted", ["email": .text(address.typed), "reply": .text(reply)],
                json: [("outbox", .null), ("reply", .string(reply))])
        }
        return .sent("tool.message_sent", orElse: "tool.message_unsent", to: address, installation)
    }
}

extension CommandResult {
    /// The result of a command that sends a message.
    ///
    /// - Parameters:
    ///   - code: the sentence if the message is sent.
    ///   - unsent: the sentence if the message stays in the outbox.
    static func sent(
        _ code: String, orElse unsent: String, to address: EmailAddress, _ installation: Installation
    ) -> CommandResult {
        let outbox = installation.context.settings.sendsMail ? nil : installation.location.outbox.new
        var values: [String: RuleFailure.Value] = ["email": .text(address.typed)]
        values["path"] = outbox.map { .text($0) }
        return .sentence(
            outbox == nil ? code : unsent, values, json: [("outbox", outbox.map { .string($0) } ?? .null)])
    }
}

extension Settings {
    /// Whether messages go to a program or a mail server. If not, they stay in the outbox.
    var sendsMail: Bool { values[.mailer] != nil }

    /// The mail server in the setting `mailer`, as configured; nil for a program or no mailer.
    var mailServer: JSONValue? {
        guard let value = values[.mailer]?.value, case .object = value else { return nil }
        return value
    }
}
