import LatchkeyForms

/// Frames in recordings. A line is a list of runs: `["label","Username"]` is a text with its role,
/// `["success","symbol","done"]` a symbol, and `["secret","password",0,5]` a range of cells of a secret.
extension Frame {
    var members: [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [
            ("frame", .array(lines.map { .array($0.runs.map(\.json)) })),
            ("cursor", .array([.integer(cursor.line), .integer(cursor.column)])),
        ]
        if !pinned.isEmpty {
            members.append(("pinned", .array([.integer(pinned.lowerBound), .integer(pinned.upperBound)])))
        }
        return members
    }

    /// - Parameter rows: the member `frame` of `json`.
    init?(_ rows: [JSONValue], in json: JSONValue) {
        guard let (line, column) = json["cursor"].flatMap(Self.pair) else { return nil }
        self.init()
        cursor = Position(line: line, column: column)
        if let pinned = json["pinned"] {
            guard let (first, end) = Self.pair(pinned), first <= end else { return nil }
            self.pinned = first..<end
        }
        for row in rows {
            guard case .array(let runs) = row else { return nil }
            let read = runs.compactMap(Run.init(json:))
            guard read.count == runs.count else { return nil }
            lines.append(Line(read))
        }
    }

    private static func pair(_ json: JSONValue) -> (Int, Int)? {
        guard case .array(let parts) = json, parts.count == 2, let first = parts[0].integer,
            let second = parts[1].integer, first >= 0, second >= 0
        else { return nil }
        return (first, second)
    }
}

extension Frame.Run {
    var json: JSONValue {
        switch self {
        case .text(let text, let role): .array([.string(role.rawValue), .string(text)])
        case .symbol(let symbol, let role): .array([.string(role.rawValue), .string("symbol")] + symbol.parts)
        case .secret(let key, let columns):
            .array([
                .string("secret"), .string(key.rawValue), .integer(columns.lowerBound), .integer(columns.upperBound),
            ])
        }
    }

    init?(json: JSONValue) {
        guard case .array(let parts) = json, parts.count >= 2, let first = parts[0].string,
            let second = parts[1].string
        else { return nil }
        if first == "secret" {
            guard parts.count == 4, let from = parts[2].integer, let to = parts[3].integer, 0 <= from, from <= to
            else { return nil }
            self = .secret(FieldKey(rawValue: second), columns: from..<to)
            return
        }
        guard let role = Role(rawValue: first) else { return nil }
        if parts.count == 2 {
            self = .text(second, role)
        } else {
            guard second == "symbol", let symbol = Symbol(Array(parts[2...])) else { return nil }
            self = .symbol(symbol, role)
        }
    }
}

extension Symbol {
    fileprivate var parts: [JSONValue] {
        switch self {
        case .focus: [.string("focus")]
        case .done: [.string("done")]
        case .info: [.string("info")]
        case .wrong: [.string("wrong")]
        case .more: [.string("more")]
        case .filled: [.string("filled")]
        case .unfilled: [.string("unfilled")]
        case .spinner(let step): [.string("spinner"), .integer(step)]
        }
    }

    fileprivate init?(_ parts: [JSONValue]) {
        switch parts.first?.string {
        case "focus": self = .focus
        case "done": self = .done
        case "info": self = .info
        case "wrong": self = .wrong
        case "more": self = .more
        case "filled": self = .filled
        case "unfilled": self = .unfilled
        case "spinner":
            guard parts.count == 2, let step = parts[1].integer else { return nil }
            self = .spinner(step)
        default: return nil
        }
    }
}
