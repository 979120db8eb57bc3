import Foundation
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeyTerminal

@main
struct GuestBook {
    static func main() async throws {
        let program = Program(summary: "Sign the guest book", version: "1.0", flags: [.init("accounts", nil, "Log in")])
        if program.arguments()["accounts"] != nil { return try await AccountBook.sign(program) }
        let (hotel, variables) = (Hotel(), ProcessInfo.processInfo.environment)
        let dependency = try dependency(on: hotel)
        if isatty(STDIN_FILENO) == 1, let device = TerminalDevice.open() {
            let (coordinator, terminal) = (await dependency.coordinator(), TerminalEnvironment(variables: variables))
            await TerminalFront(coordinator: coordinator, port: device, environment: terminal).run().valueOrDie()
        } else if let problem = await sign(with: dependency.coordinator(), reading: { readLine() }) {
            program.end(.data, saying: problem)
        }
        print(await hotel.entries.joined(separator: "\n"))
    }

    static func dependency(on network: any Networking) throws -> AppDependency {
        let login = FormCatalogue.Source(file: "login", text: GuestForms.login)
        let forms = try FormCatalogue(replacedBy: [login], rules: GuestForms.rules)
        let messages = MessageTable.english.adding(GuestForms.sentences)
        return AppDependency(networking: network, forms: forms, messages: messages) { .login }
    }

    /// A front for scripts: one line of standard input for each field. Returns the problem, if there is one.
    static func sign(with coordinator: AccountCoordinator, reading line: () -> String?) async -> String? {
        let (forms, messages) = (coordinator.dependency.forms, coordinator.dependency.messages)
        let model = FormViewModel(type: .login, in: forms, messages: messages)
        for field in model.fields { model.set(.text(line() ?? ""), for: field.apiKey) }
        guard model.validateForm() == .valid, let answers = model.takeCredentials() else {
            return model.state.fields.compactMap(\.message).joined(separator: "\n")
        }
        let (_, response) = await coordinator.userProvidedValidated(credentials: answers, type: .login)
        return response?.alert(in: model.form, messages)?.title
    }
}

/// The hotel's own accounts: the guests who stay there. The number of the room is the password.
actor Hotel: Networking {
    private let rooms = ["ada": "12", "grace": "7"]
    private(set) var entries: [String] = []

    func perform(call: AccountType, with answers: Credentials) async -> NetworkResponse {
        guard call == .login, let name = answers.text("username"), let room = rooms[name.lowercased()],
            answers.secret("password")?.isEqual(to: Secret(copying: room.utf8Span.span)) == true
        else { return .refused(.invalidCredentials) }
        entries.append("\(name) (\(answers.text("stay") ?? "")): \(answers.text("message") ?? "")")
        return .success(AccountSummary(id: name.lowercased(), username: name))
    }
}
