import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySystem

/// `config show`: lists each current setting with its origin.
struct ConfigShowCommand {
    static let spec = CommandSpec(
        words: ["config", "show"], summary: "Show the current settings",
        about:
            "Show each setting, or those of KEY, and the flag, environment variable or file that gave it. If a key or variable is"
            + " refused, show why and the other settings, and end with 78. Does not open the store.",
        operand: CommandSpec.Operand(
            name: "KEY", isRequired: false, isRepeatable: true, kind: .oneOf(Setting.keysInFiles)),
        checksService: true, delivers: true, toleratesSettings: true,
        statuses: [.done, .usage, .inputOutput, .configuration],
        examples: [
            "latchkey config show", "latchkey config show service.origin", "latchkey config show --policy nist --json",
        ]
    ) { (context) async throws(ToolFailure) in
        var report = ConfigShowCommand(context)
        let keys = context.invocation.operands.map { String(decoding: $0.bytes, as: UTF8.self) }
        for key in keys where !report.lines.contains(where: { $0.key == key }) {
            throw .unknownSetting(key: key, similar: Setting.similar(to: key))
        }
        if !keys.isEmpty { report.lines.removeAll { !keys.contains($0.key) } }
        let lines = report.lines.map { $0.text(context.messages) }
        if let engine = report.failedEngine {
            context.output.note(
                context.messages.sentence("tool.hash_engine_failed", ["name": .text(engine.rawValue)]))
        }
        let settings = JSONValue.array(report.lines.map(\.json))
        guard report.problems.isEmpty else {
            if !context.output.json { try context.output.sentences(lines) }
            throw .settingsRefused(report.problems.map { $0.error(context.messages) }, settings: settings)
        }
        if !context.settings.sendsMail, let location = try? context.storeLocation() {
            context.output.note(context.messages.sentence("tool.no_mailer", ["path": .text(location.outbox.new)]))
        }
        return .sentences(lines, json: [("settings", settings)])
    }

    struct Line {
        let key: String
        /// The value; nil if the setting is not set.
        let value: JSONValue?
        /// The origin of the value; nil for the default.
        let origin: SettingValues.Origin?
    }

    private(set) var lines: [Line]
    /// The Argon2id engine that failed its self-test and was replaced by libargon2; nil if none failed.
    let failedEngine: Argon2Engine?
    /// The problems that prevent all other commands from running.
    let problems: [Settings.Problem]

    init(_ context: CommandContext) {
        let settings = context.settings
        lines =
            Setting.all.map { setting in
                if let entry = settings.values[setting] {
                    return Line(key: setting.key, value: entry.value, origin: entry.origin)
                }
                if setting.key == Setting.language.key {
                    return Line(
                        key: setting.key, value: .string(settings.language.rawValue),
                        origin: Self.locale(settings.environment))
                }
                return Line(key: setting.key, value: setting.defaultValue(in: settings.environment), origin: nil)
            }
            + settings.values.sentenceEntries.map { key, entry in
                Line(key: key, value: entry.value, origin: entry.origin)
            }
        var problems = settings.problems
        do throws(ToolFailure) {
            failedEngine = try HashSettings.hasher(settings.values).failedEngine
        } catch {
            failedEngine = nil
            problems.append(Settings.Problem(place: "hash", failure: error))
        }
        if let server = settings.mailServer, let parts = context.parts {
            do throws(ToolFailure) { _ = try parts.mailer(server, context) } catch {
                problems.append(Settings.Problem(place: Setting.mailer.key, failure: error))
            }
        }
        do throws(ToolFailure) {
            try settings.service.checkOrigin()
            if settings.concernService { try context.parts?.checkService(context) }
        } catch .proxyNeeded {
            // A flag of serve may name the proxy, and other commands only need the origin for links.
        } catch {
            problems.append(Settings.Problem(place: Setting.serviceOrigin.nested?.group ?? "", failure: error))
        }
        self.problems = problems
    }

    /// The locale variable that determines the language; nil if a setting does.
    private static func locale(_ environment: ProcessEnvironment) -> SettingValues.Origin? {
        ["LC_ALL", "LC_MESSAGES", "LANG"].first { environment.text($0) != nil }.map { .variable($0) }
    }
}

/// `config check`: reports all problems of the settings at once.
enum ConfigCheckCommand {
    static let spec = CommandSpec(
        words: ["config", "check"], summary: "Check the settings",
        about:
            "Check the variables and configuration files that the settings come from, the forms folder and the mailer's"
            + " program, and whether serve would start. Takes the flags of serve, in case yours runs with some. Print every"
            + " problem with the file, line and column, and end with 78 if there is one. Does not open the store or a"
            + " listener.",
        serves: true, checksService: true, delivers: true, toleratesSettings: true,
        statuses: [.done, .usage, .inputOutput, .configuration],
        examples: ["latchkey config check", "latchkey config check --config /etc/latchkey/config.json"]
    ) { (context) async throws(ToolFailure) in
        var problems = problems(context)
        if let problem = problemOfProxy(context) {
            problems.append(Settings.Problem(place: Setting.trustedProxies.key, failure: problem))
        }
        guard problems.isEmpty else {
            let settings = JSONValue.array(ConfigShowCommand(context).lines.map(\.json))
            throw .settingsRefused(problems.map { $0.error(context.messages) }, settings: settings)
        }
        return .sentence("tool.settings_valid")
    }

    /// All problems of the settings, and of the files that they name.
    static func problems(_ context: CommandContext) -> [Settings.Problem] {
        ConfigShowCommand(context).problems + problemsOfFiles(context)
    }

    /// Why `serve` would need another flag: an https origin has no proxy. Nil if there is no such problem.
    static func problemOfProxy(_ context: CommandContext) -> ToolFailure? {
        guard context.settings.concernService else { return nil }
        do throws(ToolFailure) { try context.parts?.checkService(context) } catch {
            if case .proxyNeeded = error { return error }
        }
        return nil
    }

    /// The problems of the forms and the mailer that the settings name.
    private static func problemsOfFiles(_ context: CommandContext) -> [Settings.Problem] {
        let values = context.settings.values
        var problems: [Settings.Problem] = []
        do throws(ToolFailure) {
            let languages = (try? context.settings.languages.translations()) ?? []
            for messages in [context.settings.messages] + languages.map(context.settings.messages(in:)) {
                _ = try FormFolder.catalogue(values.text(.forms), context.rules, messages)
            }
        } catch {
            problems.append(Settings.Problem(place: Setting.forms.key, failure: error))
        }
        do throws(ToolFailure) { _ = try context.settings.languages.translations() } catch {
            problems.append(Settings.Problem(place: Setting.languages.key, failure: error))
        }
        if let command = values.program(.mailer), ChildProgram(command) == nil {
            let failure = ToolFailure.mailer(.missing(program: command.first ?? ""))
            problems.append(Settings.Problem(place: Setting.mailer.key, failure: failure))
        }
        return problems
    }
}

extension SettingValues.Origin {
    /// The value of `source` with `--json`.
    fileprivate var word: String {
        switch self {
        case .flag: "flag"
        case .variable: "environment"
        case .file: "file"
        }
    }
}

extension ConfigShowCommand.Line {
    var json: JSONValue {
        .object([
            ("setting", .string(key)), ("value", value ?? .null), ("source", .string(origin?.word ?? "default")),
            ("name", origin.map { .string($0.name) } ?? .null),
        ])
    }

    func text(_ messages: MessageTable) -> String {
        let parts = parts(messages)
        return "\(key) = \(parts.value)  (\(parts.source))"
    }

    /// The value and its source for people.
    func parts(_ messages: MessageTable) -> (value: String, source: String) {
        let shown =
            switch value {
            case nil: messages.sentence("tool.setting_unset")
            case .string(let text)?: text
            case let value?: value.encoded
            }
        return (shown, origin?.name ?? messages.sentence("tool.setting_default"))
    }
}

extension Settings.Problem {
    func error(_ messages: MessageTable) -> ToolFailure.FieldError {
        ToolFailure.FieldError(
            field: place, flag: nil, code: failure.code, values: failure.values, message: failure.sentence(messages))
    }
}
