import LatchkeyForms

/// What `config show` tells: each setting in force, and where it came from.
struct SettingsReport {
    struct Line {
        let key: String
        /// Nil where there is none.
        let value: JSONValue?
        let origin: Origin
    }

    /// Where a setting came from.
    enum Origin: Equatable {
        /// With its hyphens.
        case flag(String)
        case environment(String)
        case file(String)
        case standard

        var name: String? {
            switch self {
            case .flag(let name), .environment(let name), .file(let name): name
            case .standard: nil
            }
        }

        /// What `--json` calls it.
        var word: String {
            switch self {
            case .flag: "flag"
            case .environment: "environment"
            case .file: "file"
            case .standard: "default"
            }
        }
    }

    let lines: [Line]
    /// What is refused, and would stop every other command.
    let problems: [SettingProblem]

    init(_ settings: Settings) {
        lines = SettingSpec.all.map { Self.line(of: $0, settings) } + Self.sentences(settings)
        var problems = settings.problems
        do throws(ToolFailure) { _ = try HashSettings.hasher(settings.values) } catch {
            problems.append(SettingProblem(place: "hash", failure: error))
        }
        self.problems = problems
    }

    private static func line(of spec: SettingSpec, _ settings: Settings) -> Line {
        for source in settings.sources {
            guard let value = spec.value(source.values) else { continue }
            return Line(key: spec.key, value: value, origin: origin(of: spec, source.place, settings.environment))
        }
        return Line(
            key: spec.key, value: spec.standard(settings.environment),
            origin: spec.key == "lang" ? locale(settings.environment) : .standard)
    }

    private static func origin(
        of spec: SettingSpec, _ place: SettingSource.Place, _ environment: ProcessEnvironment
    ) -> Origin {
        switch place {
        case .flags: return .flag("--" + (spec.flag ?? spec.key))
        case .file(let path): return .file(path)
        case .environment:
            let variable = spec.variables.first { variable in
                (try? SettingValues(environment: environment.only(variable))).flatMap(spec.value) != nil
            }
            return .environment(variable ?? spec.key)
        }
    }

    /// Which variable of the locale decides on the language, where no setting does.
    private static func locale(_ environment: ProcessEnvironment) -> Origin {
        ["LC_ALL", "LC_MESSAGES", "LANG"].first { environment.text($0) != nil }.map(Origin.environment) ?? .standard
    }

    private static func sentences(_ settings: Settings) -> [Line] {
        settings.values.sentences.sorted { $0.key < $1.key }.map { code, sentence in
            let source = settings.sources.first { $0.values.sentences[code] != nil }
            let path: String? = if case .file(let path) = source?.place { path } else { nil }
            return Line(
                key: "messages." + code, value: .string(sentence), origin: path.map(Origin.file) ?? .standard)
        }
    }
}

extension SettingsReport.Line {
    var json: JSONValue {
        .object([
            ("setting", .string(key)), ("value", value ?? .null), ("source", .string(origin.word)),
            ("name", origin.name.map { .string($0) } ?? .null),
        ])
    }

    func text(_ messages: MessageTable) -> String {
        let shown =
            switch value {
            case nil: messages.sentence("tool.setting_unset")
            case .string(let text)?: text
            case let value?: value.encoded
            }
        let source = origin.name ?? messages.sentence("tool.setting_default")
        return "\(key) = \(shown)  (\(source))"
    }
}

extension SettingProblem {
    func error(_ messages: MessageTable) -> ToolFailure.FieldError {
        ToolFailure.FieldError(
            field: place, flag: nil, code: failure.code, values: failure.values, message: failure.sentence(messages))
    }
}

extension Output {
    /// The settings, a line each; then, where some are refused, which.
    func settings(_ report: SettingsReport, _ messages: MessageTable) throws(ToolFailure) {
        let settings = ("settings", JSONValue.array(report.lines.map(\.json)))
        if !json { for line in report.lines { try result(line.text(messages)) } }
        guard report.problems.isEmpty else {
            throw .settingsRefused(report.problems.map { $0.error(messages) }, settings: settings.1)
        }
        if json { try success([settings]) }
    }
}
