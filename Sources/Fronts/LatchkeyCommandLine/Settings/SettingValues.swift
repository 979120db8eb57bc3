import LatchkeyForms

/// The values of settings, each with its origin. They come from one source or are merged from several.
struct SettingValues: Sendable {
    /// The origin of a value.
    enum Origin: Equatable, Sendable {
        /// A flag, with its hyphens.
        case flag(String)
        case variable(String)
        /// The path of a configuration file.
        case file(String)

        var name: String {
            switch self {
            case .flag(let name), .variable(let name), .file(let name): name
            }
        }
    }

    /// A value and its origin.
    struct Entry: Sendable {
        let value: JSONValue
        let origin: Origin
        /// The position in the configuration file.
        var place: TextPlace?
    }

    static let sentencePrefix = "messages."

    /// The maximum number of reported errors, which limits the time for a file with many unknown keys.
    private static let maximumErrors = 100

    /// The entries, by the keys of the settings. A sentence has the key `messages.` with its code.
    private var entries: [String: Entry] = [:]

    init() {}

    /// Reads the settings from the flags.
    init(flags: [Invocation.Flag]) throws(ToolFailure) {
        for flag in flags {
            if let setting = Setting.all.first(where: { $0.flag == flag.name }) { try read(setting, from: .flag(flag)) }
        }
    }

    /// Reads the settings from the environment variables.
    ///
    /// - Parameter problems: receives the invalid variables. The others are still read.
    init(environment: ProcessEnvironment, problems: inout [Settings.Problem]) {
        for setting in Setting.all {
            // The variable with the highest precedence comes last, so that it replaces the others.
            for name in setting.variables.reversed() {
                guard let bytes = environment.bytes(name) else { continue }
                do throws(ToolFailure) { try read(setting, from: .variable(name, bytes)) } catch {
                    problems.append(Settings.Problem(place: name, failure: error))
                }
            }
        }
    }

    /// Reads a configuration file.
    ///
    /// - Parameter problems: receives the unknown and invalid keys. The others are still read.
    init(json bytes: [UInt8], file: String, problems: inout [Settings.Problem]) {
        var errors: [FormDescriptionError] = []
        func collecting(_ read: () throws(ToolFailure) -> Void) {
            do throws(ToolFailure) { try read() } catch {
                if case .configurationRefused(let error) = error { errors.append(error) }
            }
        }
        collecting { () throws(ToolFailure) in
            let reader = try ObjectReader(configuration: bytes, file: file, errors: &errors)
            for member in reader.members where errors.count < Self.maximumErrors {
                let part = ObjectReader([member], at: reader.place, in: file)
                collecting { () throws(ToolFailure) in
                    if let setting = Setting.all.first(where: { $0.isInFiles && $0.key == member.key }) {
                        try read(setting, from: .file(part))
                    } else if member.key.hasPrefix(Self.sentencePrefix) {
                        let sentence = try Self.sentence(member.key, in: part)
                        entries[member.key] = Entry(value: .string(sentence), origin: .file(file))
                    } else {
                        throw .configurationRefused(part.unknown(member))
                    }
                }
            }
        }
        problems += errors.sorted { $0.place.isBefore($1.place) }.map {
            Settings.Problem(place: file, failure: .configurationRefused($0))
        }
    }

    private mutating func read(_ setting: Setting, from source: SettingSource) throws(ToolFailure) {
        guard let value = try setting.value(from: source) else { return }
        var entry = Entry(value: value, origin: source.origin)
        if case .file(let reader) = source { entry.place = reader.place(of: setting.key) }
        // A repeated flag adds to its list.
        if setting.isRepeatable, let earlier = entries[setting.key]?.value.elements, let more = value.elements {
            entry = Entry(value: .array(earlier + more), origin: source.origin)
        }
        entries[setting.key] = entry
    }

    mutating func set(_ value: JSONValue, for setting: Setting, from origin: Origin) {
        entries[setting.key] = Entry(value: value, origin: origin)
    }

    mutating func remove(_ setting: Setting) { entries[setting.key] = nil }

    /// These values, completed with values from `others`.
    func over(_ others: SettingValues) -> SettingValues {
        var merged = self
        merged.entries.merge(others.entries) { own, _ in own }
        return merged
    }

    subscript(setting: Setting) -> Entry? { entries[setting.key] }

    /// The entry of a setting or a sentence.
    func entry(named key: String) -> Entry? { entries[key] }

    /// The value of a path, text, language or policy; nil if the setting is not set.
    func text(_ setting: Setting) -> String? { self[setting]?.value.string }

    /// The value of a number; nil if the setting is not set.
    func number(_ setting: Setting) -> Int? { self[setting]?.value.integer }

    /// Whether a switch is on; nil if the setting is not set.
    func isOn(_ setting: Setting) -> Bool? {
        guard case .bool(let value)? = self[setting]?.value else { return nil }
        return value
    }

    /// A program and its arguments; nil if the setting is not set.
    func program(_ setting: Setting) -> [String]? { self[setting]?.value.elements?.compactMap(\.string) }

    /// The sentences under `messages` with their keys (`messages.CODE`), sorted.
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
