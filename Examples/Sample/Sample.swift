import LatchkeyFlows
import LatchkeyForms
import LatchkeyTerminal
import LatchkeyTesting

/// A sign-up with three fields in a terminal. Nothing is stored: the network is scripted, and every call succeeds.
@main
struct Sample {
    static let form = """
        { "form": "setup", "title": "Join the reading club", "submit": "Join", "fields": [
          { "apiKey": "username", "placeholder": "Name", "rules": [{ "rule": "alpha" }] },
          { "apiKey": "email_field", "placeholder": "E-mail", "rules": [{ "rule": "email" }] },
          { "apiKey": "password", "placeholder": "Password", "secret": true, "rules": [{ "rule": "password" }] } ] }
        """

    static func main() async throws {
        guard let device = TerminalDevice.open() else { return print("sample: there is no terminal") }
        let forms = try FormCatalogue(replacedBy: [.init(file: "setup.json", bytes: Array(form.utf8))])
        let network = ScriptedNetworking()
        let dependency = AppDependency(networking: network, forms: forms) { .setup }
        let front = TerminalFront(
            coordinator: await dependency.coordinator(until: .success(of: .setup)), port: device,
            environment: TerminalEnvironment(variables: ["TERM": "xterm", "LANG": "C.UTF-8"]))
        guard await front.run().valueOrDie() != nil else { return }
        print("The network was called for: \(network.calls.map(\.rawValue).joined(separator: ", "))")
    }
}
