import LatchkeyForms

/// Values of settings, each with its origin: from one source, or merged from several.
struct SettingValues: Sendable {
    /// Where a value comes from.
    enum Origin: Equatable, Sendable {
        /// With its hyphens.
        case flag(String)
        case variable(String)
        /// The path of a configuration file.
        case file(String)
    }

    /// A value and its origin.
    struct Entry: Sendable {
        let value: JSONValue
        let origin: Origin
    }

    static let sentencePrefix = "messages."

    /// By the settings' keys; a sentence has the key `messages.` and its code.
    private var entries: [String: Entry] = [:]

    init() {}

    /// Reads the settings among the flags.
    init(flags: [Invocation.Flag]) throws(ToolFailure) {
        for flag in flags {
            guard let setting = Setting.all.first(where: { $0.flag == flag.name }) else { continue }
            set(try setting.value(of: flag), for: setting, from: .flag("--" + flag.name))
        }
    }

    /// Reads the environment variables.
    ///
    /// - Parameter problems: receives the variables whose values are not valid; the others are read.
    init(environment: ProcessEnvironment, problems: inout [Settings.Problem]) {
        for setting in Setting.all {
            // The strongest last, so that it replaces the others.
            for name in setting.variables.reversed() {
                do throws(ToolFailure) {
                    guard let value = try setting.value(ofVariable: name, in: environment) else { continue }
                    set(value, for: setting, from: .variable(name))
                } catch {
                    problems.append(Settings.Problem(place: name, failure: error))
                }
            }
        }
    }

    /// Reads a configuration file, and refuses unknown keys.
    ///
    /// A member of a group may be nested (`{"hash": {"memory": 65536}}`) or dotted (`{"hash.memory": 65536}`), as
    /// `config show` prints it, but not both.
    init(json bytes: [UInt8], file: String) throws(FormDescriptionError) {
        var reader = try ObjectReader(reading: bytes, named: "configuration", in: file)
        let settings = Setting.all.filter(\.isInFiles)
        var groups: [String: ObjectReader] = [:]
        for group in Set(settings.compactMap { $0.nested?.group }).sorted() {
            groups[group] = try reader.object(group)
        }
        for setting in settings {
            var value = try setting.value(in: &reader, under: setting.key)
            if let (group, member) = setting.nested, var members = groups[group] {
                if let nested = try setting.value(in: &members, under: member) {
                    guard value == nil else { throw Self.isGivenTwice(setting.key, group, reader) }
                    value = nested
                }
                groups[group] = members
            }
            if let value { set(value, for: setting, from: .file(file)) }
        }
        for (_, group) in groups.sorted(by: { $0.key < $1.key }) { try group.finish() }
        for (code, sentence) in try Self.sentences(&reader) {
            entries[Self.sentencePrefix + code] = Entry(value: .string(sentence), origin: .file(file))
        }
        try reader.finish()
    }

    static func isGivenTwice(_ key: String, _ group: String, _ reader: ObjectReader) -> FormDescriptionError {
        reader.error(
            .init("tool.setting_twice", ["key": .text(key), "group": .text(group)]), at: reader.place(of: key))
    }

    mutating func set(_ value: JSONValue, for setting: Setting, from origin: Origin) {
        entries[setting.key] = Entry(value: value, origin: origin)
    }

    /// These values, and those of `others` where these have none.
    func over(_ others: SettingValues) -> SettingValues {
        var merged = self
        merged.entries.merge(others.entries) { own, _ in own }
        return merged
    }

    subscript(setting: Setting) -> Entry? { entries[setting.key] }

    /// The value of a path, text, language or policy; nil if it is not given.
    func text(_ setting: Setting) -> String? { self[setting]?.value.string }

    /// The value of a number; nil if it is not given.
    func number(_ setting: Setting) -> Int? { self[setting]?.value.integer }

    /// Whether a switch is on; nil if it is not given.
    func isOn(_ setting: Setting) -> Bool? {
        guard case .bool(let value)? = self[setting]?.value else { return nil }
        return value
    }

    /// A program and its arguments; nil if it is not given.
    func program(_ setting: Setting) -> [String]? { self[setting]?.value.elements?.compactMap(\.string) }

    /// The sentences under `messages`, with their keys (`messages.CODE`) in order.
    var sentenceEntries: [(key: String, entry: Entry)] {
        entries.filter { $0.key.hasPrefix(Self.sentencePrefix) }.sorted { $0.key < $1.key }
            .map { (key: $0.key, entry: $0.value) }
    }

    /// The sentences that replace those of the program, by code.
    var sentences: [String: String] {
        var sentences: [String: String] = [:]
        for (key, entry) in sentenceEntries {
            sentences[String(key.dropFirst(Self.sentencePrefix.count))] = entry.value.string
        }
        return sentences
    }
}
