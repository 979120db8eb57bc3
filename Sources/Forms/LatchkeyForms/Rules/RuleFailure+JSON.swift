extension RuleFailure {
    /// The failure as JSON: `{"field":"password","rule":0,"code":"min_length","values":{"minimum":9}}`.
    package var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        if let field { members.append(("field", .string(field.rawValue))) }
        if let rule { members.append(("rule", .integer(rule))) }
        members.append(("code", .string(code.rawValue)))
        if !values.isEmpty { members.append(("values", JSONValue(values))) }
        return .object(members)
    }

    /// Parses a failure; nil if the JSON has another format.
    package init?(json: JSONValue) {
        guard let code = json["code"]?.string else { return nil }
        var values: [String: Value] = [:]
        if let given = json["values"] {
            guard case .object(let members) = given else { return nil }
            for (key, value) in members {
                switch value {
                case .integer(let number): values[key] = .integer(number)
                case .string(let text): values[key] = .text(text)
                default: return nil
                }
            }
        }
        var rule: Int?
        if case .integer(let place)? = json["rule"] { rule = place }
        self.init(
            code: Code(rawValue: code), values: values,
            field: json["field"]?.string.map { FieldKey(rawValue: $0) }, rule: rule)
    }
}

extension JSONValue {
    /// Creates an object with the values, sorted by key.
    package init(_ values: [String: RuleFailure.Value]) {
        self = .object(
            values.sorted { $0.key < $1.key }.map { key, value in
                switch value {
                case .integer(let number): (key, .integer(number))
                case .text(let text): (key, .string(text))
                }
            })
    }
}
