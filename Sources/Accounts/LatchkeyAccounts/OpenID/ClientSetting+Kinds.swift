import LatchkeyForms

/// The words of a setting.
typealias SettingWord = RawRepresentable<String> & CaseIterable & Equatable & Sendable

/// A stored property of the settings.
typealias SettingPath<Value> = WritableKeyPath<ClientSettings, Value> & Sendable

extension ClientSetting.Flag {
    static func flag(_ name: String) -> Self { Self(name: name, value: nil, takesCommas: false) }

    static func value(_ name: String, _ value: String, takesCommas: Bool = false) -> Self {
        Self(name: name, value: value, takesCommas: takesCommas)
    }
}

extension ClientSetting {
    /// Whether the elements of a list are words, such as scopes. Others are addresses, which may contain commas.
    package var isListOfWords: Bool { flag?.takesCommas ?? true }
}

// MARK: Kinds of settings

extension ClientSetting {
    static func name(
        _ key: String, _ path: any SettingPath<String>, _ flag: Flag, title: String, _ summary: String,
        default defaultText: String
    ) -> ClientSetting {
        ClientSetting(
            key: key, flag: flag, kind: .name, title: title, summary: summary, details: "", defaultText: defaultText,
            read: { .string($0[keyPath: path]) },
            write: { value, settings in
                guard let text = value.string, OperatorToken.isName(text) else { return false }
                settings[keyPath: path] = text
                return true
            })
    }

    static func flag(
        _ key: String, _ path: any SettingPath<Bool>, _ flag: String, title: String, _ summary: String,
        details: String = ""
    ) -> ClientSetting {
        ClientSetting(
            key: key, flag: .flag(flag), kind: .flag, title: title, summary: summary, details: details,
            defaultText: nil,
            read: { .bool($0[keyPath: path]) },
            write: { value, settings in
                guard case .bool(let read) = value else { return false }
                settings[keyPath: path] = read
                return true
            })
    }

    static func choice<Word: SettingWord>(
        _ key: String, _ path: any SettingPath<Word>, _ flag: String, title: String, _ summary: String,
        details: String = ""
    ) -> ClientSetting {
        let words = Word.allCases.map(\.rawValue)
        return ClientSetting(
            key: key, flag: .value(flag, words.joined(separator: "|")), kind: .choice(words, isOptional: false),
            title: title, summary: summary, details: details, defaultText: nil,
            read: { .string($0[keyPath: path].rawValue) },
            write: { value, settings in
                guard let word = value.string.flatMap(Word.init(rawValue:)) else { return false }
                settings[keyPath: path] = word
                return true
            })
    }

    static func choice<Word: SettingWord>(
        _ key: String, _ path: any SettingPath<Word?>, _ flag: String, title: String, _ summary: String,
        details: String = "", default defaultText: String
    ) -> ClientSetting {
        let words = Word.allCases.map(\.rawValue)
        return ClientSetting(
            key: key, flag: .value(flag, words.joined(separator: "|")), kind: .choice(words, isOptional: true),
            title: title, summary: summary, details: details, defaultText: defaultText,
            read: { $0[keyPath: path].map { .string($0.rawValue) } ?? .null },
            write: { value, settings in
                let word = value.string.flatMap(Word.init(rawValue:))
                guard word != nil || value == .null else { return false }
                settings[keyPath: path] = word
                return true
            })
    }

    static func list(
        _ key: String, _ path: any SettingPath<[String]>, _ flag: Flag?, title: String, _ summary: String,
        details: String = "", default defaultText: String? = nil
    ) -> ClientSetting {
        ClientSetting(
            key: key, flag: flag, kind: .list, title: title, summary: summary, details: details,
            defaultText: defaultText,
            read: { .array($0[keyPath: path].map { .string($0) }) },
            write: { value, settings in
                guard let elements = value.elements, elements.count <= longestList else { return false }
                var texts: [String] = []
                for element in elements {
                    guard let text = element.string, 1...longestElement ~= text.utf8.count,
                        !texts.contains(where: { $0.utf8.elementsEqual(text.utf8) })
                    else { return false }
                    texts.append(text)
                }
                settings[keyPath: path] = texts
                return true
            })
    }

    static func choices<Word: SettingWord & Hashable>(
        _ key: String, _ path: any SettingPath<Set<Word>>, _ flag: Flag, title: String, _ summary: String,
        details: String = ""
    ) -> ClientSetting {
        ClientSetting(
            key: key, flag: flag, kind: .choices(Word.allCases.map(\.rawValue)), title: title, summary: summary,
            details: details, defaultText: nil,
            read: { settings in
                .array(Word.allCases.filter(settings[keyPath: path].contains).map { .string($0.rawValue) })
            },
            write: { value, settings in
                guard let elements = value.elements else { return false }
                let words = elements.compactMap { $0.string.flatMap(Word.init(rawValue:)) }
                guard words.count == elements.count, !words.isEmpty else { return false }
                settings[keyPath: path] = Set(words)
                return true
            })
    }

    static func text(
        _ key: String, _ path: any SettingPath<String?>, _ flag: Flag, title: String, _ summary: String,
        details: String = ""
    ) -> ClientSetting {
        ClientSetting(
            key: key, flag: flag, kind: .text, title: title, summary: summary, details: details, defaultText: nil,
            read: { $0[keyPath: path].map { .string($0) } ?? .null },
            write: { value, settings in
                guard value == .null || value.string.map({ 1...longestElement ~= $0.utf8.count }) ?? false else {
                    return false
                }
                settings[keyPath: path] = value.string
                return true
            })
    }

    static func object(
        _ key: String, _ path: any SettingPath<JSONValue?>, title: String, _ summary: String, details: String = ""
    ) -> ClientSetting {
        ClientSetting(
            key: key, flag: nil, kind: .object, title: title, summary: summary, details: details, defaultText: nil,
            read: { $0[keyPath: path] ?? .null },
            write: { value, settings in
                switch value {
                case .null: settings[keyPath: path] = nil
                case .object(let members)
                where members.count <= longestList && value.encoded.utf8.count <= longestObject:
                    settings[keyPath: path] = members.isEmpty ? nil : value
                default: return false
                }
                return true
            })
    }
}
