import LatchkeyForms

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
        try context.output.result(try parts.description(context).encoded)
        return .printed
    }
}
