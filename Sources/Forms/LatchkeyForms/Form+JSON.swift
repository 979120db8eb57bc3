extension Form {
    /// The form as JSON, in `forms show --json` and in the HTTP API.
    package var json: JSONValue {
        .object([
            ("form", .string(id)), ("title", .string(title)), ("submit", .string(submit)),
            ("links", .array(links.map { .string($0.rawValue) })),
            (
                "fields",
                .array(
                    fields.map { field in
                        .object(field.members)
                    })
            ),
            ("schema", valueSchema().adding(first: ("$schema", .string(Self.schemaDialect)))),
        ])
    }

    private static let schemaDialect = "https://json-schema.org/draft/2020-12/schema"
}

extension JSONValue {
    /// A copy of an object with one more member at its start. Any other value is returned unchanged.
    fileprivate func adding(first member: (key: String, value: JSONValue)) -> JSONValue {
        guard case .object(let own) = self else { return self }
        return .object([member] + own)
    }
}

extension FormField {
    fileprivate var members: [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [
            ("api_key", .string(apiKey.rawValue)), ("kind", .string(kind.rawValue)), ("flag", .string(flag)),
            ("label", .string(label)), ("secret", .bool(isSecret)), ("optional", .bool(isOptional)),
            ("rules", .array(validationRules.map { .string($0.code.rawValue) })),
        ]
        if isSecret { members.append(("masked", .bool(isMasked))) }
        if !options.isEmpty {
            let options = options.map { option in
                JSONValue.object([("value", .string(option.value)), ("label", .string(option.label))])
            }
            members.append(("options", .array(options)))
        }
        if let minimum = optionCount.minimum { members.append(("minimum", .integer(minimum))) }
        if let maximum = optionCount.maximum { members.append(("maximum", .integer(maximum))) }
        if let defaultValue { members.append(("default", defaultValue.json)) }
        if let condition {
            let when: [(String, JSONValue)] = [
                ("field", .string(condition.field.rawValue)), ("is", .array(condition.values.map(\.json))),
            ]
            members.append(("when", .object(when)))
        }
        if let page { members.append(("page", .string(page))) }
        return members
    }
}
