import LatchkeyForms

/// How a recorded session ended.
enum TerminalEnding: Sendable {
    case finished(AccountType)
    case left
    case killed(by: Int32)
    case hungUp

    init(_ result: TerminalResult) {
        switch result {
        case .finished(let type, _): self = .finished(type)
        case .left: self = .left
        case .killed(by: let signal): self = .killed(by: signal)
        case .hungUp: self = .hungUp
        }
    }

    var members: [(key: String, value: JSONValue)] {
        switch self {
        case .finished(let type): [("ended", .string("finished")), ("flow", .string(type.rawValue))]
        case .left: [("ended", .string("left"))]
        case .killed(by: let signal): [("ended", .string("killed")), ("signal", .integer(Int(signal)))]
        case .hungUp: [("ended", .string("hung_up"))]
        }
    }

    init?(named name: String, _ json: JSONValue) {
        switch name {
        case "finished":
            guard let type = json["flow"]?.string.flatMap(AccountType.init) else { return nil }
            self = .finished(type)
        case "left": self = .left
        case "killed":
            guard let signal = json["signal"]?.integer, 1...64 ~= signal else { return nil }
            self = .killed(by: Int32(signal))
        case "hung_up": self = .hungUp
        default: return nil
        }
    }
}
