import LatchkeyForms

/// `config set` and `config unset`: change the configuration file.
struct ConfigChangeCommand {
    static let set = spec(
        "set", operand: "KEY VALUE", summary: "Change a setting in the configuration file",
        about:
            "Write KEY with VALUE to the configuration file and print what has changed. A list takes several VALUEs, and"
            + " mailer the words of a command or one JSON object. A refused value changes nothing.",
        examples: [
            "latchkey config set service.origin https://accounts.example.org",
            "latchkey config set service.return_origins Wiki=https://wiki.example.org https://chat.example.org",
            "latchkey config set mailer sendmail -- -t",
        ])

    static let unset = spec(
        "unset", operand: "KEY", summary: "Remove a setting from the configuration file",
        about: "Remove KEY from the configuration file and print the value that applies now.",
        examples: [
            "latchkey config unset service.origin", "latchkey config unset mailer --config /etc/latchkey/config.json",
        ])

    private static func spec(
        _ word: String, operand: String, summary: String, about: String, examples: [String]
    ) -> CommandSpec {
        CommandSpec(
            words: ["config", word], summary: summary,
            about: about
                + " It writes the file of --config, otherwise the user's file; for root, the machine's file if there is one."
                + " Other keys and the permissions stay. A running service reads the file when it starts.",
            operand: CommandSpec.Operand(
                name: operand, isRequired: true, isRepeatable: true, showsRepetition: word == "set",
                kind: .oneOf(Setting.keysInFiles)),
            checksService: true, toleratesSettings: true, statuses: [.done, .usage, .inputOutput, .configuration],
            examples: examples
        ) { (context) async throws(ToolFailure) in
            let operands = context.invocation.operands.map { String(decoding: $0.bytes, as: UTF8.self) }
            let command = ConfigChangeCommand(context: context, key: operands[0])
            if word == "set" {
                guard operands.count > 1 else { throw .operandMissing(name: "VALUE") }
                return try command.change(to: command.value(of: Array(operands.dropFirst())))
            }
            guard operands.count == 1 else { throw .operandTooMany(command: "latchkey config unset") }
            return try command.change(to: nil)
        }
    }

    let context: CommandContext
    let key: String

    private var setting: Setting? { Setting.all.first { $0.isInFiles && $0.key == key } }

    /// - Parameter value: the new value; nil to remove the key.
    private func change(to value: JSONValue?) throws(ToolFailure) -> CommandResult {
        let writer = try ConfigurationWriter(context)
        if setting == nil, !key.hasPrefix(SettingValues.sentencePrefix) {
            // A key of an earlier version can be removed.
            guard value == nil, try writer.has(key) else {
                throw .unknownSetting(key: key, similar: Setting.similar(to: key))
            }
        }
        if let value { try refuseUseless(value) }
        let old = try writer.write([(key, value)])
        let oldText = shown(old)
        guard let settings = try? Settings(flags: flags, environment: context.environment, tolerating: true) else {
            throw .internal
        }
        let entry = settings.values.entry(named: key)
        let now = entry?.value ?? setting?.defaultValue(in: context.environment)
        if let entry, value != nil || old != nil, entry.origin.name != writer.path {
            note("tool.setting_overridden", ["key": .text(key), "name": .text(entry.origin.name)])
        }
        for problem in settings.problems { context.output.problem(problem.failure.sentence(context.messages)) }
        noteProblemOfService(settings)
        let values: [String: RuleFailure.Value] = [
            "key": .text(key), "old": .text(oldText), "new": .text(shown(value ?? now)), "path": .text(writer.path),
        ]
        let code =
            switch (old, value) {
            case (nil, nil): "tool.setting_absent"
            case (_, nil): "tool.setting_removed"
            case (nil, _): "tool.setting_added"
            case _ where old == value: "tool.setting_unchanged"
            default: "tool.setting_changed"
            }
        return .sentence(
            code, values,
            json: [
                ("setting", .string(key)), ("old", old ?? .null), ("new", value ?? .null),
                ("path", .string(writer.path)),
            ])
    }

    /// Refuses a value that no other setting can make right: a folder that does not exist, or an address that is none.
    private func refuseUseless(_ value: JSONValue) throws(ToolFailure) {
        if key == Setting.forms.key {
            _ = try FormFolder.catalogue(value.string, context.rules, context.messages)
        }
        // The origin decides which cookie domains are right.
        guard let setting, setting.commands == .serving, key != Setting.cookieDomain.key, let parts = context.parts
        else { return }
        var context = context
        context.settings.values = SettingValues()
        context.settings.values.set(value, for: setting, from: .variable(key))
        do throws(ToolFailure) { try parts.checkService(context) } catch {
            switch error {
            case .originNeeded, .originInsecure, .proxyNeeded: return
            default: throw error
            }
        }
    }

    /// Reports that `serve` would not start. One command often changes only a part of what belongs together.
    private func noteProblemOfService(_ settings: Settings) {
        guard setting?.commands == .serving, let parts = context.parts else { return }
        var context = context
        context.settings = settings
        do throws(ToolFailure) { try parts.checkService(context) } catch {
            note("tool.serve_refuses", ["problem": .text(error.sentence(context.messages))])
        }
    }

    /// The flag that names the configuration file, if it is given.
    private var flags: [Invocation.Flag] {
        context.invocation.flags.filter { $0.name == Setting.config.flag }
    }

    private func note(_ code: String, _ values: [String: RuleFailure.Value]) {
        context.output.note(context.messages.sentence(code, values))
    }

    private func shown(_ value: JSONValue?) -> String {
        value.map { $0.string ?? $0.encoded } ?? context.messages.sentence("tool.setting_unset")
    }

    // MARK: Values

    /// The value that the operands describe.
    private func value(of words: [String]) throws(ToolFailure) -> JSONValue {
        guard let setting else { return .string(words.joined(separator: " ")) }
        switch setting.kind {
        case .texts, .groups: return .array(try elements(words, of: setting))
        case .program: return try program(words, of: setting)
        case .path, .store, .headerText, .number, .origin, .onlyOn, .onOrOff, .language, .policy, .choice, .group:
            guard words.count == 1 else { throw .operandTooMany(command: "latchkey config set " + key) }
            return try value(words[0], of: setting)
        }
    }

    private func elements(_ words: [String], of setting: Setting) throws(ToolFailure) -> [JSONValue] {
        var elements: [JSONValue] = []
        for word in words { elements += try value(word, of: setting).elements ?? [] }
        return elements
    }

    private func value(_ word: String, of setting: Setting) throws(ToolFailure) -> JSONValue {
        switch setting.kind {
        case .onlyOn, .onOrOff:
            switch word.lowercased() {
            case "on", "true", "yes", "1": return .bool(true)
            case "off", "false", "no", "0": return .bool(false)
            default: throw .badValue(key, .choice(known: "on, off"))
            }
        case .number(let range):
            guard let number = Argument(word).wholeNumber, range ~= number else {
                throw .badValue(key, .number(in: range))
            }
            return .integer(number)
        case .path, .store, .headerText, .origin, .language, .policy, .choice, .group, .groups, .texts, .program:
            guard let value = try setting.value(from: .variable(key, Array(word.utf8))) else {
                throw .badValue(key, .text(maximum: 255))
            }
            return value
        }
    }

    /// The address of a mail server, without a username and password; nil if `text` is none.
    private static func mailServer(_ text: String) -> String? {
        guard let scheme = ["smtps://", "smtp://"].first(where: text.lowercased().hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.count)
        return scheme + (rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest)
    }

    /// A command with its arguments, or the JSON of one or of a mail server.
    private func program(_ words: [String], of setting: Setting) throws(ToolFailure) -> JSONValue {
        if let url = Self.mailServer(words[0]) { throw .mailServerAddress(url: url) }
        guard words.count == 1, words[0].hasPrefix("{") || words[0].hasPrefix("[") else {
            _ = try value(words[0], of: setting)
            return .array(words.map { .string($0) })
        }
        var problems: [Settings.Problem] = []
        let text = JSONValue.string(key).encoded + ": " + words[0]
        let values = SettingValues(json: Array("{\(text)}".utf8), file: key, problems: &problems)
        guard let value = values[setting]?.value else { throw problems.first?.failure ?? .badValue(key, .path) }
        return value
    }
}

extension Setting {
    /// The keys that a configuration file may contain, except sentences.
    static var keysInFiles: [String] { all.filter(\.isInFiles).map(\.key) }

    /// The keys that someone may mean by `key`: those that end with it, or are spelled like it.
    static func similar(to key: String) -> [String] {
        let known = keysInFiles
        let ending = known.filter { $0.hasSuffix("." + key) || $0.hasSuffix("_" + key) }
        return ending.isEmpty ? Array(Suggestion.similar(to: key, among: known, by: \.self).prefix(3)) : ending
    }

    /// The keys in quotation marks, for a sentence.
    static func quoted(_ keys: [String]) -> String { keys.map { "\"\($0)\"" }.joined(separator: ", ") }
}
