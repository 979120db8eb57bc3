import LatchkeyForms

/// `health`: asks a running service whether it is ready.
enum HealthCommand {
    static let spec = CommandSpec(
        words: ["health"], summary: "Ask a running service whether it is ready",
        about:
            "Ask the service at --server, or the one that the settings describe on this machine, whether it can serve"
            + " requests (/readyz). Ends with 69 if it cannot or does not answer within 5 seconds.",
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
