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

/// `health`: asks a running service whether it is ready.
enum HealthCommand {
    static let spec = CommandSpec(
        words: ["health"], summary: "Ask a running service whether it is ready",
        about:
            "Ask a service whether it is ready for requests (/readyz): the one at --server, otherwise the one on this machine"
            + " with the same settings. Ends with 69 if it is not ready, or does not answer within 5 seconds.",
        worksOverServer: true, isOfService: true, forOperators: true,
        statuses: [.done, .usage, .unavailable, .inputOutput, .configuration],
        examples: ["latchkey health", "latchkey health --server https://accounts.example.org"]
    ) { (context) async throws(ToolFailure) in
        guard let parts = context.parts else { throw .internal }
        let (server, text) = try await parts.health(context)
        return .sentence(
            "tool.healthy", ["server": .text(server), "answer": .text(text)], json: [("server", .string(server))])
    }
}

/// `openapi`: prints the description of the API.
enum OpenAPICommand {
    static let spec = CommandSpec(
        words: ["openapi"], summary: "Print the description of the API (OpenAPI 3.1)",
        about:
            "Print what the service answers at /api/v1/openapi.json, with the current forms. Does not open the store.",
        readsForms: true, isOfService: true, forOperators: true,
        statuses: [.done, .usage, .inputOutput, .configuration],
        examples: ["latchkey openapi", "latchkey openapi --json"]
    ) { (context) async throws(ToolFailure) in
        guard let parts = context.parts else { throw .internal }
        try context.output.result(try parts.description(context))
        return .printed
    }
}
