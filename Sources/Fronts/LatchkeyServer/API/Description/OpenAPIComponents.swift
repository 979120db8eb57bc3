import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// The fixed parts of the API description, from `docs/schemas`. A test compares the schemas with the service's
/// responses.
enum OpenAPIComponents {
    static let schemas = JSONValue.object(
        // `$schema` and `$id` are left out, because references in the document are relative to it.
        shared.map { ($0.key, .object(members(parsed($0.value)).filter { !$0.key.hasPrefix("$") })) }
            + members(components["schemas"]) + applications)
    static let parameters = components["parameters"] ?? .null
    static let securitySchemes = components["securitySchemes"] ?? .null

    private static let components = parsed(PackageResources.components_json)

    /// Schemas that `--json` uses too.
    private static let shared: KeyValuePairs = [
        "Account": PackageResources.account_json, "FailedLogins": PackageResources.failed_logins_json,
        "Form": PackageResources.form_json, "Ended": PackageResources.sessions_revoke_json,
        "Factors": PackageResources.factors_list_json, "Group": PackageResources.group_json,
        "Application": PackageResources.application_json,
    ]

    /// The bodies with the settings of an application.
    private static var applications: [(key: String, value: JSONValue)] {
        let settings = ClientSetting.all.map { (key: $0.key, value: $0.schema) }
        let id = JSONValue.object([
            ("type", .string("string")), ("pattern", .string(ClientID.pattern)),
            ("description", .string("As the operator chooses it; it is case-sensitive.")),
        ])
        func flag(_ description: String) -> JSONValue {
            .object([("type", .string("boolean")), ("description", .string(description))])
        }
        func object(
            _ properties: [(key: String, value: JSONValue)], requiring required: [String], example: JSONValue
        ) -> JSONValue {
            .object(
                [("type", .string("object")), ("properties", .object(properties))]
                    + (required.isEmpty ? [] : [("required", .array(required.map { .string($0) }))])
                    + [("additionalProperties", .bool(false)), ("examples", .array([example]))])
        }
        let uris = JSONValue.array([.string("https://wiki.example.org/cb")])
        return [
            (
                "NewApplication",
                object(
                    [("client_id", id)] + settings, requiring: ["client_id"],
                    example: .object([
                        ("client_id", .string("wiki")), (ClientSetting.redirectURIs.key, uris),
                    ]))
            ),
            (
                "ApplicationChange",
                object(
                    settings + [
                        ("disabled", flag("Whether to refuse all its logins and tokens.")),
                        ("drop_secrets", flag("Delete the secrets of an application that becomes public.")),
                    ], requiring: [], example: .object([(ClientSetting.level.key, .string("aal2"))]))
            ),
        ]
    }

    private static func members(_ json: JSONValue?) -> [(key: String, value: JSONValue)] {
        if case .object(let members)? = json { members } else { [] }
    }

    private static func parsed(_ bytes: [UInt8]) -> JSONValue { (try? JSONReader.read(bytes).value) ?? .null }
}
