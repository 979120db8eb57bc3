import LatchkeyForms

/// The current settings with their origins, for `config show`.
struct SettingsReport {
    struct Line {
        let key: String
        /// Nil if the setting is unset.
        let value: JSONValue?
        /// Nil for the default.
        let origin: SettingValues.Origin?
    }

    let lines: [Line]
    /// The problems that stop every other command.
    let problems: [Settings.Problem]

    init(_ settings: Settings) {
        lines =
            Setting.all.map { setting in
                if let entry = settings.values[setting] {
                    return Line(key: setting.key, value: entry.value, origin: entry.origin)
                }
                return Line(
                    key: setting.key, value: setting.defaultValue(in: settings.environment),
                    origin: setting.key == Setting.language.key ? Self.locale(settings.environment) : nil)
            }
            + settings.values.sentenceEntries.map { key, entry in
                Line(key: key, value: entry.value, origin: entry.origin)
            }
        var problems = settings.problems
        do throws(ToolFailure) { _ = try HashSettings.hasher(settings.values) } catch {
            problems.append(Settings.Problem(place: "hash", failure: error))
        }
        self.problems = problems
    }

    /// The locale variable that names the language, if no setting does.
    private static func locale(_ environment: ProcessEnvironment) -> SettingValues.Origin? {
        ["LC_ALL", "LC_MESSAGES", "LANG"].first { environment.text($0) != nil }.map { .variable($0) }
    }
}

extension SettingValues.Origin {
    fileprivate var name: String {
        switch self {
        case .flag(let name), .variable(let name), .file(let name): name
        }
    }

    /// The value of `source` with `--json`.
    fileprivate var word: String {
        switch self {
        case .flag: "flag"
        case .variable: "environment"
        case .file: "file"
        }
    }
}

extension SettingsReport.Line {
    var json: JSONValue {
        .object([
            ("setting", .string(key)), ("value", value ?? .null), ("source", .string(origin?.word ?? "default")),
            ("name", origin.map { .string($0.name) } ?? .null),
        ])
    }

    func text(_ messages: MessageTable) -> String {
        let shown =
            switch value {
            case nil: messages.sentence("tool.setting_unset")
            case .string(let text)?: text
            case let value?: value.encoded
            }
        let source = origin?.name ?? messages.sentence("tool.setting_default")
        return "\(key) = \(shown)  (\(source))"
    }
}

extension Settings.Problem {
    func error(_ messages: MessageTable) -> ToolFailure.FieldError {
        ToolFailure.FieldError(
            field: place, flag: nil, code: failure.code, values: failure.values, message: failure.sentence(messages))
    }
}

extension Output {
    /// Prints the settings, a line each, and fails if some are refused.
    func settings(_ report: SettingsReport, _ messages: MessageTable) throws(ToolFailure) {
        let settings = ("settings", JSONValue.array(report.lines.map(\.json)))
        if !json { for line in report.lines { try result(line.text(messages)) } }
        guard report.problems.isEmpty else {
            throw .settingsRefused(report.problems.map { $0.error(messages) }, settings: settings.1)
        }
        if json { try success([settings]) }
    }
}
