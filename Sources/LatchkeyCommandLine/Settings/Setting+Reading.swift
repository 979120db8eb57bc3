import LatchkeyAccounts
import LatchkeyForms

extension Setting {
    private static let maximumTextBytes = 255

    /// Reads the value of a flag.
    ///
    /// - Throws: status 64 if the value is not valid.
    func value(of flag: Invocation.Flag) throws(ToolFailure) -> JSONValue {
        guard valueName != nil else { return .bool(true) }
        return try value(of: flag.value, named: "--" + flag.name)
    }

    /// Reads the value of an environment variable; nil if the variable is empty or says nothing.
    ///
    /// - Throws: status 64 if the value is not valid.
    func value(ofVariable name: String, in environment: ProcessEnvironment) throws(ToolFailure) -> JSONValue? {
        guard let bytes = environment.bytes(name) else { return nil }
        switch kind {
        case .onlyOn:
            // no-color.org: NO_COLOR counts whatever its value is.
            return environment.isOn(name) || name == "NO_COLOR" ? .bool(true) : nil
        case .onOrOff: return .bool(environment.isOn(name))
        case .path, .headerText, .number, .language, .policy, .program:
            return try value(of: Argument(bytes: bytes), named: name)
        }
    }

    private func value(of argument: Argument?, named name: String) throws(ToolFailure) -> JSONValue {
        switch kind {
        case .path:
            if let path = argument?.path { return .string(path) }
            throw .badPath(name: name)
        case .number:
            if let number = argument?.wholeNumber { return .integer(number) }
            throw .badNumber(name: name)
        case .language, .policy:
            let known = choices ?? []
            if let text = argument?.text, let choice = known.first(where: { $0.utf8.elementsEqual(text.utf8) }) {
                return .string(choice)
            }
            let list = known.joined(separator: ", ")
            guard case .language = kind else { throw .badPolicy(name: name, known: list) }
            throw .badLanguage(name: name, known: list)
        case .program:
            if let text = argument?.text, Self.isProgram([text]) { return .array([.string(text)]) }
            throw .badPath(name: name)
        case .headerText, .onlyOn, .onOrOff:
            if let text = argument?.text, Self.isHeaderText(text) { return .string(text) }
            throw .badText(name: name, maximum: Self.maximumTextBytes)
        }
    }

    /// Reads the value in an object of a configuration file.
    ///
    /// - Parameter key: the member's name in that object: the setting's whole key, or what follows the dot.
    func value(in reader: inout ObjectReader, under key: String) throws(FormDescriptionError) -> JSONValue? {
        switch kind {
        case .number(let range): return try reader.integer(key, in: range).map { .integer($0) }
        case .onlyOn, .onOrOff: return try reader.bool(key).map { .bool($0) }
        case .language: return try reader.name(key, of: Language.self).map { .string($0.rawValue) }
        case .program:
            guard let program = try reader.strings(key, maximum: 64) else { return nil }
            guard Self.isProgram(program) else { throw refusal("tool.setting_mailer", [:], reader, key) }
            return .array(program.map { .string($0) })
        case .path:
            guard let text = try reader.string(key) else { return nil }
            guard Argument(text).path != nil else {
                throw refusal("tool.setting_path", ["key": .text(key)], reader, key)
            }
            return .string(text)
        case .headerText:
            guard let text = try reader.string(key) else { return nil }
            guard Self.isHeaderText(text) else {
                let values: [String: RuleFailure.Value] = [
                    "key": .text(key), "maximum": .integer(Self.maximumTextBytes),
                ]
                throw refusal("tool.setting_text_limit", values, reader, key)
            }
            return .string(text)
        case .policy:
            guard let text = try reader.string(key) else { return nil }
            let known = choices ?? []
            guard known.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
                throw refusal("tool.setting_policy", ["known": .text(known.joined(separator: ", "))], reader, key)
            }
            return .string(text)
        }
    }

    private func refusal(
        _ code: String, _ values: [String: RuleFailure.Value], _ reader: ObjectReader, _ key: String
    ) -> FormDescriptionError {
        reader.error(.init(code, values), at: reader.place(of: key))
    }

    private static func isHeaderText(_ text: String) -> Bool {
        text.utf8.count <= maximumTextBytes
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Whether the program is a plain name or an absolute path: a relative path would depend on the current folder.
    private static func isProgram(_ arguments: [String]) -> Bool {
        guard let program = arguments.first, program.hasPrefix("/") || !program.utf8.contains(UInt8(ascii: "/")) else {
            return false
        }
        return !arguments.contains { $0.utf8.contains(0) }
    }
}
