import LatchkeyForms

/// The fixed parts of the API description, from `docs/schemas`. A test compares the schemas with the service's
/// responses.
enum OpenAPIComponents {
    static let schemas = JSONValue.object(
        // `$schema` and `$id` are left out, because references in the document are relative to it.
        shared.map { ($0.key, .object(members(parsed($0.value)).filter { !$0.key.hasPrefix("$") })) }
            + members(components["schemas"]))
    static let parameters = components["parameters"] ?? .null
    static let securitySchemes = components["securitySchemes"] ?? .null

    private static let components = parsed(PackageResources.components_json)

    /// Schemas that `--json` uses too.
    private static let shared: KeyValuePairs = [
        "Account": PackageResources.account_json, "FailedLogins": PackageResources.failed_logins_json,
        "Form": PackageResources.form_json, "Ended": PackageResources.sessions_revoke_json,
        "Factors": PackageResources.factors_list_json, "Group": PackageResources.group_json,
    ]

    private static func members(_ json: JSONValue?) -> [(key: String, value: JSONValue)] {
        if case .object(let members)? = json { members } else { [] }
    }

    private static func parsed(_ bytes: [UInt8]) -> JSONValue { (try? JSONReader.read(bytes).value) ?? .null }
}
