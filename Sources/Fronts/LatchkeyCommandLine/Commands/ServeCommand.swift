import Glibc
import LatchkeyForms
import LatchkeySystem

/// `serve`: serves the accounts over HTTP. The program `latchkey-service` runs it, so that `latchkey` starts without
/// the libraries that only a service needs (docs/decisions/0039-two-programs.md).
enum ServeCommand {
    static let spec = CommandSpec(
        words: ["serve"], summary: "Serve the accounts over HTTP",
        about:
            "Serve sign-up, login, recovery and sessions over HTTP, as web pages and as an API. Creates the store"
            + " if there is none. Without flags, it is a trial on this machine alone. For others, put a proxy with TLS"
            + " in front and give --origin and --trusted-proxy. Ends by SIGTERM or Ctrl-C, after the requests at work.",
        hashesPasswords: true, serves: true, readsForms: true, isOfService: true, writesLog: true,
        forOperators: true,
        statuses: [.done] + ExitStatus.ofStores,
        examples: [
            "latchkey serve",
            "latchkey serve --listen unix:/run/latchkey/http --trusted-proxy unix --origin https://accounts.example.org",
        ]
    ) { (context) async throws(ToolFailure) in
        guard let parts = context.parts else { throw .internal }
        return try await parts.serve(context)
    }
}
