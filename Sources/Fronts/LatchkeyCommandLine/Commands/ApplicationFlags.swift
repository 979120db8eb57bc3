import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// The flags of `applications add` and `applications update`, which follow from ``ClientSetting/all``.
enum ApplicationFlags {
    /// The flags for the settings of a new application.
    static let ofNew = ClientSetting.all.compactMap { FlagSpec($0) }

    /// The flags for a change, which can also take a setting back.
    static let ofChange = ofNew + ClientSetting.all.filter { $0.kind == .flag }.compactMap(opposite)

    private static func opposite(of setting: ClientSetting) -> FlagSpec? {
        setting.flag.map { FlagSpec("no-" + $0.name, "Take --\($0.name) back") }
    }

    /// The settings that the flags give, as a file would have them. An empty value restores the default.
    ///
    /// - Parameter id: the application, whose name is the default of its name.
    static func json(_ invocation: Invocation, of id: ClientID) throws(ToolFailure) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        for setting in ClientSetting.all {
            guard let flag = setting.flag else { continue }
            let isUndone = setting.kind == .flag && invocation.has("no-" + flag.name)
            if isUndone, invocation.has(flag.name) {
                throw .flagsExclude(flag: flag.name, other: "no-" + flag.name)
            }
            if isUndone { members.append((setting.key, .bool(false))) }
            guard invocation.has(flag.name) else { continue }
            let value = setting.value(of: invocation.texts(flag.name), ClientSettings(of: id))
            guard setting.hasKnownWords(value) else {
                throw .badValue("--" + flag.name, .choice(known: setting.words.joined(separator: ", ")))
            }
            members.append((setting.key, value))
        }
        return .object(members)
    }

    /// A setting as the flags name it.
    static func name(of key: String) -> String {
        guard let flag = ClientSetting.named(key)?.flag else { return key }
        return "--" + flag.name
    }
}

extension ClientSetting {
    /// The value that the texts of a flag give; for an empty text, that of a new application.
    fileprivate func value(of texts: [String], _ new: ClientSettings) -> JSONValue {
        if texts == [""] { return value(in: new) }
        let takesCommas = flag?.takesCommas ?? false
        return switch kind {
        case .flag: .bool(true)
        case .list, .choices:
            .array(
                (takesCommas ? texts.flatMap { $0.split(separator: ",").map(String.init) } : texts)
                    .map { .string($0) })
        case .name, .text, .choice, .object: .string(texts.first ?? "")
        }
    }

    /// Whether a setting that takes words has only its own.
    fileprivate func hasKnownWords(_ value: JSONValue) -> Bool {
        words.isEmpty || value == .null
            || (value.elements ?? [value]).allSatisfy { words.contains($0.string ?? "") }
    }
}

extension FlagSpec {
    /// The flag of an application's setting; nil if it has none.
    fileprivate init?(_ setting: ClientSetting) {
        guard let flag = setting.flag else { return nil }
        let isList = setting.kind == .list || setting.words.isEmpty == false && flag.takesCommas
        self.init(
            flag.name, value: flag.value,
            of: setting.words.isEmpty ? (flag.value == "URL" ? nil : .text) : .oneOf(setting.words),
            setting.summary + (flag.takesCommas ? "; several with commas" : "") + setting.shownDefault,
            isRepeatable: isList)
    }
}

extension ClientSetting {
    /// The default in brackets; empty for none.
    fileprivate var shownDefault: String {
        if let defaultText { return " [\(defaultText)]" }
        switch defaultValue {
        case .string(let word): return " [\(word)]"
        case .array(let elements) where !elements.isEmpty:
            return " [\(elements.compactMap(\.string).joined(separator: ","))]"
        default: return ""
        }
    }
}
