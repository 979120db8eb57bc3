import FoundationEssentials
import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeyTerminal

/// A sign-up with three fields in a terminal. Nothing is stored: every call succeeds.
@main
struct Sample: Networking {
    static let form = """
        { "form": "setup", "title": "Join the reading club", "submit": "Join", "fields": [
          { "apiKey": "username", "placeholder": "Name", "rules": [{ "rule": "alpha" }] },
          { "apiKey": "email_field", "placeholder": "E-mail", "rules": [{ "rule": "email" }] },
          { "apiKey": "password", "placeholder": "Password", "secret": true, "rules": [{ "rule": "password" }] } ] }
        """

    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse { .success() }

    static func main() async throws {
        guard let device = TerminalDevice.open() else {
            DescriptorOutput(STDERR_FILENO).write("sample: there is no terminal\n".utf8Span.span)
            exit(EX_USAGE)
        }
        let forms = try FormCatalogue(replacedBy: [.init(file: "setup.json", bytes: Array(form.utf8))])
        let dependency = AppDependency(networking: Sample(), forms: forms) { .setup }
        let front = TerminalFront(
            coordinator: await dependency.coordinator(until: .success(of: .setup)), port: device,
            environment: TerminalEnvironment(variables: ProcessInfo.processInfo.environment))
        guard await front.run().valueOrDie() != nil else { exit(EXIT_FAILURE) }
        print("Welcome to the reading club")
    }
}
