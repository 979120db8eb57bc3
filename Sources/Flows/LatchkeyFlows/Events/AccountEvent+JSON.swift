package import LatchkeyForms

/// An event as a JSON line of a trace.
extension AccountEvent {
    /// For example `{"event":"call_ended","id":1,"call":"login","code":"success"}`, without a line break.
    public var line: String { json.encoded }

    /// Parses a line of a trace.
    ///
    /// - Returns: nil for an event from a newer version.
    public init?(line: some Sequence<UInt8>) {
        guard let node = try? JSONReader.read(Array(line)), let event = AccountEvent(json: node.value) else {
            return nil
        }
        self = event
    }

    /// The event as an object.
    package var json: JSONValue {
        let (name, members) = parts
        return .object([("event", .string(name))] + members.compactMap { key, value in value.map { (key, $0) } })
    }

    private typealias Members = [(key: String, value: JSONValue?)]

    private var parts: (name: String, members: Members) {
        switch self {
        case .call(let event): event.parts
        case .form(.invalid(let form, let failures)):
            ("form_invalid", [("form", .string(form)), ("failures", .array(failures.map(\.json)))])
        case .navigation(.opened(let type)): ("navigation_opened", [("to", .string(type.rawValue))])
        case .navigation(.moved(let from, let to, let reason)):
            (
                "navigation_moved",
                [("from", .string(from.rawValue)), ("to", .string(to.rawValue)), ("reason", .string(reason.rawValue))]
            )
        case .navigation(.left(let type)): ("navigation_left", [("from", .string(type.rawValue))])
        case .activity(let activity): (activity.rawValue, [])
        case .session(.began(let account)): ("session_began", [("account", account.map(JSONValue.string))])
        case .session(.ended(let account)): ("session_ended", [("account", account.map(JSONValue.string))])
        case .session(.othersEnded(let account, let count)):
            ("session_others_ended", [("account", account.map(JSONValue.string)), ("count", .integer(count))])
        case .administration(let event):
            ("administered", [("action", .string(event.action)), ("account", event.account.map(JSONValue.string))])
        }
    }

    /// Parses an object from ``json``; nil for an event from a newer version.
    package init?(json: JSONValue) {
        guard let name = json["event"]?.string else { return nil }
        if let activity = ActivityEvent(rawValue: name) {
            self = .activity(activity)
            return
        }
        func type(_ key: String) -> AccountType? { json[key]?.string.flatMap(AccountType.init) }
        let account = json["account"]?.string
        switch name {
        case "form_invalid":
            guard let form = json["form"]?.string, let failures = FieldRefusal.list(json) else { return nil }
            self = .form(.invalid(form: form, failures))
        case "navigation_opened":
            guard let to = type("to") else { return nil }
            self = .navigation(.opened(to))
        case "navigation_moved":
            guard let from = type("from"), let to = type("to"),
                let reason = json["reason"]?.string.flatMap(NavigationEvent.Reason.init)
            else { return nil }
            self = .navigation(.moved(from: from, to: to, reason))
        case "navigation_left":
            guard let from = type("from") else { return nil }
            self = .navigation(.left(from))
        case "session_began": self = .session(.began(account: account))
        case "session_ended": self = .session(.ended(account: account))
        case "session_others_ended":
            guard case .integer(let count)? = json["count"] else { return nil }
            self = .session(.othersEnded(account: account, count: count))
        case "administered":
            guard let action = json["action"]?.string else { return nil }
            self = .administration(AdministrationEvent(action, account: account))
        default:
            guard let call = CallEvent(named: name, json) else { return nil }
            self = .call(call)
        }
    }
}

extension CallEvent {
    fileprivate var parts: (name: String, members: [(key: String, value: JSONValue?)]) {
        let call: [(key: String, value: JSONValue?)] = [
            ("id", .integer(Int(clamping: id))), ("call", .string(self.call.rawValue)),
        ]
        return switch self {
        case .began: ("call_began", call)
        case .ended(_, _, let code): ("call_ended", call + [("code", .string(code.rawValue))])
        case .refused(_, _, .answers(let failures)):
            ("call_refused", call + [("failures", .array(failures.map(\.json)))])
        case .refused(_, _, .throttled(let retryAfter)):
            ("call_refused", call + [("retry_after_ms", .integer(Int(clamping: retryAfter.milliseconds)))])
        case .abandoned: ("call_abandoned", call)
        }
    }

    fileprivate init?(named name: String, _ json: JSONValue) {
        guard case .integer(let number)? = json["id"], let id = UInt64(exactly: number),
            let call = json["call"]?.string.flatMap(AccountType.init)
        else { return nil }
        switch name {
        case "call_began": self = .began(id: id, call: call)
        case "call_abandoned": self = .abandoned(id: id, call: call)
        case "call_ended":
            guard let code = json["code"]?.string.flatMap(NetworkResponse.Code.init) else { return nil }
            self = .ended(id: id, call: call, code: code)
        case "call_refused":
            if case .integer(let milliseconds)? = json["retry_after_ms"] {
                self = .refused(id: id, call: call, .throttled(retryAfter: .milliseconds(milliseconds)))
            } else if let failures = FieldRefusal.list(json) {
                self = .refused(id: id, call: call, .answers(failures))
            } else {
                return nil
            }
        default: return nil
        }
    }
}

extension FieldRefusal {
    fileprivate var json: JSONValue {
        .object([("field", field.map { .string($0.rawValue) } ?? .null), ("code", .string(code.rawValue))])
    }

    fileprivate static func list(_ json: JSONValue) -> [FieldRefusal]? {
        guard case .array(let elements)? = json["failures"] else { return nil }
        var list: [FieldRefusal] = []
        for element in elements {
            guard let code = element["code"]?.string else { return nil }
            let field = element["field"]?.string
            list.append(
                FieldRefusal(field: field.map { FieldKey(rawValue: $0) }, code: RuleFailure.Code(rawValue: code)))
        }
        return list
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
