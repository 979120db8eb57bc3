import LatchkeyAccounts
import LatchkeyForms

/// `mailer test`: one message, to see whether it arrives.
enum MailerTestCommand {
    static let spec = CommandSpec(
        words: ["mailer", "test"], summary: "Send a test message",
        about:
            "Send a message to ADDRESS through the program of the setting \"mailer\", or put it into the outbox next to"
            + " the store.",
        operand: CommandSpec.Operand(name: "ADDRESS", isRequired: true),
        statuses: [.done, .data] + ExitStatus.ofStores,
        examples: ["latchkey mailer test ada@example.org", "latchkey mailer test ada@example.org --json"]
    ) { (context) async throws(ToolFailure) in
        let address: EmailAddress
        do throws(RuleFailure) { address = try EmailAddress(context.operand ?? "") } catch { throw .badAddress }
        let installation = try await Installation.open(context, creating: false)
        do throws(MailerError) { try await installation.service.deliverTest(to: address) } catch {
            throw .mailer(error)
        }
        return .sentence("tool.message_sent", ["email": .text(address.typed)])
    }
}
