import LatchkeyFlows
import LatchkeyForms

/// The first line of a recording: everything that the front depends on, apart from input.
struct RecordingStart: Sendable {
    /// The version of the format.
    static let version = 1

    let configuration: RecordingConfiguration
    let environment: TerminalEnvironment
    let size: TerminalSize
    let opens: AccountType
    let goal: Goal
    let prefill: [FieldKey: RecordedText]
    let present: [FieldKey: FieldValue]

    var json: JSONValue {
        var members: [(key: String, value: JSONValue)] = [("recording", .integer(Self.version))]
        members += configuration.members
        members += [
            ("columns", .integer(size.columns)), ("rows", .integer(size.rows)), ("plain", .bool(environment.isPlain)),
            ("color", .bool(environment.usesColor)), ("utf8", .bool(environment.isUTF8)),
            ("symbols", .bool(environment.hasSymbols)),
        ]
        // Older recordings do not have it. The command is not recorded, because a replay starts no editor.
        if environment.editor != nil { members.append(("editor", .bool(true))) }
        members += [("opens", .string(opens.rawValue)), ("goal", .string(goal.name))]
        if !prefill.isEmpty {
            let sorted = prefill.sorted { $0.key.rawValue < $1.key.rawValue }
            members.append(("prefill", .object(sorted.map { ($0.key.rawValue, .object([$0.value.member])) })))
        }
        if !present.isEmpty {
            let values = Dictionary(uniqueKeysWithValues: present.map { ($0.key.rawValue, $0.value) })
            members.append(("present", .object(values: values)))
        }
        return .object(members)
    }

    init(
        configuration: RecordingConfiguration, environment: TerminalEnvironment, size: TerminalSize, opens: AccountType,
        goal: Goal,
        prefill: [FieldKey: RecordedText], present: [FieldKey: FieldValue]
    ) {
        self.configuration = configuration
        self.environment = environment
        self.size = size
        self.opens = opens
        self.goal = goal
        self.prefill = prefill
        self.present = present
    }

    /// - Returns: nil if this version does not know the line, or one of its members.
    init?(json: JSONValue) {
        func bool(_ key: String) -> Bool? {
            guard case .bool(let value)? = json[key] else { return nil }
            return value
        }
        guard json["recording"]?.integer == Self.version, let configuration = RecordingConfiguration(json: json),
            let size = TerminalSize(json), let isPlain = bool("plain"), let usesColor = bool("color"),
            let isUTF8 = bool("utf8"), let hasSymbols = bool("symbols"),
            let opens = json["opens"]?.string.flatMap(AccountType.init),
            let goal = json["goal"]?.string.flatMap(Goal.init(named:))
        else { return nil }
        var prefill: [FieldKey: RecordedText] = [:]
        if let given = json["prefill"] {
            guard case .object(let members) = given else { return nil }
            for (key, value) in members {
                guard let text = RecordedText(memberOf: value) else { return nil }
                prefill[FieldKey(rawValue: key)] = text
            }
        }
        var environment = TerminalEnvironment(
            isPlain: isPlain, usesColor: usesColor, isUTF8: isUTF8, hasSymbols: hasSymbols)
        if json["editor"] == .bool(true) { environment.editor = "" }
        guard let present = json["present"].map(\.fieldValues) ?? [:] else { return nil }
        self.init(
            configuration: configuration, environment: environment, size: size, opens: opens, goal: goal,
            prefill: prefill,
            present: Dictionary(uniqueKeysWithValues: present.map { (FieldKey(rawValue: $0.key), $0.value) }))
        // A member that was not understood would be missing here.
        guard self.json == json else { return nil }
    }
}

extension Goal {
    fileprivate var name: String {
        switch self {
        case .signedIn: "signed_in"
        case .success(let type): type.rawValue
        }
    }

    fileprivate init?(named name: String) {
        if name == "signed_in" {
            self = .signedIn
        } else if let type = AccountType(rawValue: name) {
            self = .success(of: type)
        } else {
            return nil
        }
    }
}

extension RecordedText {
    init(_ value: Prefilled) {
        switch value {
        case .text(let text): self = .plain(text)
        case .secret(let secret): self.init(secret, isVisible: false)
        }
    }

    var prefilled: Prefilled {
        switch self {
        case .plain(let text): .text(text)
        case .redacted, .unreadable: .secret(secret)
        }
    }
}
