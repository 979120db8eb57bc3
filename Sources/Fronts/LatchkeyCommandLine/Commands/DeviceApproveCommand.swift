import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// `device approve`: connects a device that shows a code, as the page `/device` does.
struct DeviceApproveCommand {
    static let spec = CommandSpec(
        words: ["device", "approve"], summary: "Connect a device that shows a code",
        about:
            "Show which application waits with CODE, where it comes from and what it would learn, and let it use the"
            + " logged-in account. A terminal asks first, where No refuses the device; elsewhere --yes is required. Go on only"
            + " if you started this yourself: nobody else sends you a code. CODE has eight letters, in any case and with or"
            + " without a hyphen. After a few wrong codes, further ones wait.",
        operand: CommandSpec.Operand(name: "CODE", isRequired: true), flags: [FlagSpec("yes", "Do not ask first")],
        readsForms: true, isOfService: true, statuses: [.done, .no, .temporary] + ExitStatus.ofStores,
        examples: ["latchkey device approve WDJB-MJHT", "latchkey device approve WDJB-MJHT --yes --json"]
    ) { (context) async throws(ToolFailure) in
        let terminal = context.invocation.has("yes") ? nil : Terminal(context)
        guard terminal != nil || context.invocation.has("yes") else { throw .yesNeeded }
        let owner = try await context.owner()
        _ = try await owner.fullSession()
        guard let installation = owner.installation else { throw .internal }
        let command = DeviceApproveCommand(
            context: context, installation: installation, parts: try context.openIDParts(),
            token: try await owner.heldToken())
        return try await command.run(asking: terminal)
    }

    let context: CommandContext
    let installation: Installation
    let parts: OpenIDParts
    let token: Secret

    private var messages: MessageTable { context.messages }

    private func run(asking terminal: Terminal?) async throws(ToolFailure) -> CommandResult {
        let code = parts.userCode(context.operand ?? "")
        var isAllowed = true
        if let terminal {
            let (request, client, live) = try await entry { (service) async throws(AccountError) in
                try await service.deviceRequest(code?.symbols, token: token)
            }
            try await show(request, of: client, to: live.account, code: code?.text ?? "")
            let answers = ["menu.device_refuse", "menu.device_connect"].map { messages.sentence($0) }
            let title = messages.sentence("menu.device_ask", ["name": .text(client.settings.name)])
            guard let choice = await terminal.choose(title, answers) else { throw .cancelled(isShown: true) }
            isAllowed = choice == 1
        }
        let (_, client, _) = try await entry { [isAllowed] (service) async throws(AccountError) in
            try await service.answerDeviceRequest(code?.symbols, allowing: isAllowed, token: token)
        }
        return .sentence(
            isAllowed ? "tool.device_connected" : "tool.device_denied", ["name": .text(client.settings.name)],
            json: [("client_id", .string(client.id)), ("approved", .bool(isAllowed))])
    }

    /// The request that waits under the code.
    private func entry(
        _ call: (AccountService) async throws(AccountError) -> DeviceEntry
    ) async throws(ToolFailure) -> (DeviceRequest, Client, LiveSession) {
        switch try await installation.asking(call) {
        case .waiting(let request, let client, let live): return (request, client, live)
        case .refused(let refusal, let client): throw .deviceRefused(name: client.settings.name, refusal)
        case .unknown: throw .deviceUnknown
        }
    }

    /// Prints what the owner compares and decides about.
    private func show(
        _ request: DeviceRequest, of client: Client, to account: Account, code: String
    ) async throws(ToolFailure) {
        let groups = try await installation.asking { (service) async throws(AccountError) in
            try await service.groups(of: .id(account.id)).map(\.text)
        }
        let began = messages.relative(request.createdAt, now: SystemClock().now())
        context.output.note(messages.sentence("tool.device_code", ["code": .text(code)]))
        let origin = request.source.isEmpty ? "tool.device_began" : "tool.device_began_at"
        context.output.note(
            messages.sentence(
                origin,
                ["name": .text(client.settings.name), "time": .text(began), "source": .text(request.source)]))
        let facts = parts.facts(account, groups, request.scopes, client.settings, context.forms, messages)
        context.output.note(messages.sentence("tool.device_learns", ["name": .text(client.settings.name)]))
        for fact in facts { context.output.note("  " + fact.title + ": " + fact.value) }
        context.output.note(messages.sentence("tool.device_caution"))
    }
}
