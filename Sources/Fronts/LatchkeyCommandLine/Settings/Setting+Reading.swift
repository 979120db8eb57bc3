import LatchkeyAccounts
import LatchkeyForms

/// A source of settings. Failures about its values contain its name.
enum SettingSource {
    case flag(Invocation.Flag)
    /// The name and the nonempty value of an environment variable.
    case variable(String, [UInt8])
    /// The object of a configuration file, with dotted keys for members of groups.
    case file(ObjectReader)

    var origin: SettingValues.Origin {
        switch self {
        case .flag(let flag): .flag("--" + flag.name)
        case .variable(let name, _): .variable(name)
        case .file(let reader): .file(reader.file)
        }
    }
}

extension Setting {
    private static let maximumTextBytes = 255

    /// The setting's value from a source; nil if the source does not set it.
    ///
    /// - Throws: status 64 for an invalid flag or variable, 78 for an invalid member of a file.
    func value(from source: SettingSource) throws(ToolFailure) -> JSONValue? {
        let found: JSONValue?
        switch source {
        case .flag(let flag): found = value(of: flag.value)
        case .variable(let name, let bytes):
            found = value(of: Argument(bytes: bytes))
            // no-color.org: NO_COLOR applies whatever its value is.
            if case .onlyOn = kind, found == .bool(false) { return name == "NO_COLOR" ? .bool(true) : nil }
        case .file(var reader):
            do throws(FormDescriptionError) { found = try member(of: &reader) } catch {
                throw .configurationRefused(error)
            }
            guard found != nil else { return nil }
        }
        guard let found, accepts(found) else { throw refusal(by: source) }
        return found
    }

    /// Parses the value of a flag or a variable; nil if its format is wrong.
    private func value(of argument: Argument?) -> JSONValue? {
        switch kind {
        case .number: argument?.wholeNumber.map { .integer($0) }
        case .onlyOn, .onOrOff: .bool(argument != Argument("0"))
        case .program, .groups, .texts: argument?.text.map { .array([.string($0)]) }
        case .path, .store, .headerText, .origin, .language, .policy, .choice, .group:
            argument?.text.map { .string($0) }
        }
    }

    private func member(of reader: inout ObjectReader) throws(FormDescriptionError) -> JSONValue? {
        switch kind {
        case .number(let range): try reader.integer(key, in: range).map { .integer($0) }
        case .onlyOn, .onOrOff: try reader.bool(key).map { .bool($0) }
        case .program:
            if let member = reader.members.first(where: { $0.key == key }), case .object = member.value.content {
                member.value.value
            } else {
                try reader.strings(key, maximum: 64).map { .array($0.map { .string($0) }) }
            }
        case .groups: try reader.strings(key, maximum: 64).map { .array($0.map { .string($0) }) }
        case .texts:
            if let member = reader.members.first(where: { $0.key == key }), case .string = member.value.content {
                try reader.string(key).map { .array([.string($0)]) }
            } else {
                try reader.strings(key, maximum: 64).map { .array($0.map { .string($0) }) }
            }
        case .path, .store, .headerText, .origin, .language, .policy, .choice, .group:
            try reader.string(key).map { .string($0) }
        }
    }

    private static func isText(_ text: String) -> Bool {
        text.utf8.count <= maximumTextBytes
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private func accepts(_ value: JSONValue) -> Bool {
        let text = value.string ?? ""
        return switch kind {
        case .path: Argument(text).path != nil
        case .store: Argument(text).path != nil && !DatabaseAddress.hasPassword(text)
        case .headerText: Self.isText(text)
        case .texts: value.elements?.allSatisfy { $0.string.map(Self.isText) ?? false } ?? false
        case .policy, .choice: choices?.contains { $0.utf8.elementsEqual(text.utf8) } ?? false
        case .program: Self.isProgram(value.elements?.compactMap(\.string) ?? []) || Self.isMailServer(value)
        case .origin: WebOrigin(text) != nil
        case .group: GroupName(text) != nil
        case .groups: value.elements?.allSatisfy { $0.string.flatMap { GroupName($0) } != nil } ?? false
        // ``Settings`` checks the language, because another setting adds languages.
        case .number, .onlyOn, .onOrOff, .language: true
        }
    }

    /// Whether the program is a plain name or an absolute path. A relative path would depend on the current folder.
    private static func isProgram(_ arguments: [String]) -> Bool {
        guard let program = arguments.first, program.hasPrefix("/") || !program.utf8.contains(UInt8(ascii: "/")) else {
            return false
        }
        return !arguments.contains { $0.utf8.contains(0) }
    }

    /// Whether the value looks like a mail server. Only `latchkey-service` checks its members.
    private static func isMailServer(_ value: JSONValue) -> Bool {
        guard case .object(let members) = value, members.count == 1, members[0].key == "smtp",
            case .object(let members) = members[0].value
        else { return false }
        return members.allSatisfy { $0.value.string != nil }
    }

    private func refusal(by source: SettingSource) -> ToolFailure {
        let known = choices?.joined(separator: ", ") ?? ""
        guard case .file(let reader) = source else {
            let expected: ExpectedValue =
                switch kind {
                case .path, .program: .path
                case .store: .store
                case .number: .wholeNumber
                case .origin: .origin
                case .group, .groups: .groupName
                case .policy: .policy(known: known)
                case .choice: .choice(known: known)
                case .headerText, .texts, .onlyOn, .onOrOff, .language: .text(maximum: Self.maximumTextBytes)
                }
            return .badValue(source.origin.name, expected)
        }
        var values: [String: RuleFailure.Value] = ["key": .text(key)]
        let code: String
        switch kind {
        case .program: (code, values) = ("tool.setting_mailer", [:])
        case .policy: (code, values) = ("tool.setting_policy", ["known": .text(known)])
        case .choice:
            code = "tool.setting_choice"
            values["known"] = .text(known)
        case .headerText, .texts, .number, .onlyOn, .onOrOff, .language:
            code = "tool.setting_text_limit"
            values["maximum"] = .integer(Self.maximumTextBytes)
        case .path: code = "tool.setting_path"
        case .store: code = "tool.setting_store"
        case .origin: code = "tool.setting_origin"
        case .group: code = "tool.setting_group"
        case .groups: code = "tool.setting_groups"
        }
        return .configurationRefused(reader.error(.init(code, values), at: reader.place(of: key)))
    }
}
