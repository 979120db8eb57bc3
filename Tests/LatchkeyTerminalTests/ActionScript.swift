import LatchkeyForms
import LatchkeySecrets
import LatchkeyTerminal
import TestSupport

/// Actions as words in test tables: `type:ada`, `submit`, `link:2`. A key has the raw value of its case.
enum ActionScript {
    struct Unknown: Error { let word: String }

    static func action(_ word: String) throws -> Action {
        if let key = Action.Key(rawValue: word) { return .key(key) }
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw Unknown(word: word) }
        switch parts[0] {
        case "type": return .insert(Secret(parts[1]))
        case "paste": return .paste(Secret(parts[1]))
        case "answer": return .answer(Secret(parts[1]))
        case "edited": return .edited(Secret(parts[1]))
        case "link": return .followLink((Int(parts[1]) ?? 0) - 1)
        case "follow":
            guard let type = AccountType(rawValue: parts[1]) else { throw Unknown(word: word) }
            return .follow(type)
        default: throw Unknown(word: word)
        }
    }

    static func word(_ action: Action) -> String {
        switch action {
        case .insert(let text): "type:" + text.text
        case .paste(let text): "paste:" + text.text
        case .answer(let text): "answer:" + text.text
        case .edited(let text): "edited:" + text.text
        case .followLink(let place): "link:\(place + 1)"
        case .follow(let type): "follow:" + type.rawValue
        case .key(let key): key.rawValue
        }
    }

    static let simple = Action.Key.allCases.map(Action.key)

    static func word(_ request: FormMachine.Request) -> String {
        switch request {
        case .submit: "submit"
        case .follow(let type): "follow:" + type.rawValue
        case .cancel: "cancel"
        case .bell: "bell"
        case .edit(let text): "edit:" + String(decoding: text, as: UTF8.self)
        case .wait: "wait"
        }
    }

    static func word(_ focus: Focus) -> String {
        switch focus {
        case .field(let key): key.rawValue
        case .submit: "[submit]"
        case .link(let type): "[link:\(type.rawValue)]"
        }
    }
}
