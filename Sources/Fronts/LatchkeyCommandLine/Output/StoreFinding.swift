import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite

/// The result of one check of the store.
struct StoreFinding {
    enum Verdict: String {
        case sound = "ok"
        case warning
        /// The checked item is damaged, or accessible to other users.
        case bad = "failed"
    }

    /// The name of the check: `content`, `audit`, …
    let check: String
    let verdict: Verdict
    let code: String
    let values: [String: RuleFailure.Value]

    static func sound(_ check: String) -> StoreFinding {
        StoreFinding(check: check, verdict: .sound, code: "check.ok", values: ["check": .text(check)])
    }

    static func sound(_ check: String, _ code: String, _ values: [String: RuleFailure.Value]) -> StoreFinding {
        StoreFinding(check: check, verdict: .sound, code: code, values: values)
    }

    static func warning(_ check: String, _ code: String, _ values: [String: RuleFailure.Value] = [:]) -> StoreFinding {
        StoreFinding(check: check, verdict: .warning, code: code, values: values)
    }

    static func bad(_ check: String, _ code: String, _ values: [String: RuleFailure.Value] = [:]) -> StoreFinding {
        StoreFinding(check: check, verdict: .bad, code: code, values: values)
    }

    /// The finding for a file or folder that another user owns or can access; nil for any other error.
    static func bad(_ check: String, accessible error: StoreError) -> StoreFinding? {
        switch error {
        case .exposed(let path): .bad(check, "check.exposed", ["path": .text(path)])
        case .openFolder(let path), .otherOwner(let path, _): .bad(check, "check.folder_open", ["path": .text(path)])
        default: nil
        }
    }

    func line(_ messages: MessageTable) -> String {
        let sentence = messages.sentence(code, values)
        return switch verdict {
        case .sound: sentence
        case .warning: messages.sentence("check.warning", ["check": .text(check), "problem": .text(sentence)])
        case .bad: "\(check): \(sentence)"
        }
    }

    func json(_ messages: MessageTable) -> JSONValue {
        .object([
            ("check", .string(check)), ("verdict", .string(verdict.rawValue)),
            ("message", .string(messages.sentence(code, values))),
        ])
    }

    func error(_ messages: MessageTable) -> ToolFailure.FieldError {
        ToolFailure.FieldError(
            field: check, flag: nil, code: String(code.dropFirst("check.".count)), values: values,
            message: line(messages))
    }
}

extension StoreReport {
    /// Whether the tables can be read.
    var contentIsReadable: Bool {
        failure == nil && !hasHotJournal && damage == [] && invalidValues.isEmpty && schema == newestSchema
    }

    func findings(at location: StoreLocation, _ messages: MessageTable) -> [StoreFinding] {
        var findings = [file(messages)].compactMap(\.self)
        if let schema {
            findings.append(
                schema == newestSchema
                    ? .sound("schema")
                    : .warning(
                        "schema", "check.schema_older",
                        ["schema": .integer(schema), "newest": .integer(newestSchema)]))
        }
        if let damage {
            findings += damage.map { .bad("content", "check.damaged", ["problem": .text($0)]) }
            findings += invalidValues.map { value in
                .bad(
                    "content", "check.value_invalid",
                    ["table": .text(value.table), "row": .text(value.row), "column": .text(value.column)])
            }
            if damage.isEmpty && invalidValues.isEmpty { findings.append(.sound("content")) }
        }
        findings += [space, library]
        return findings
    }

    private func file(_ messages: MessageTable) -> StoreFinding? {
        if hasHotJournal { return .warning("file", "check.unfinished") }
        if let failure, let finding = StoreFinding.bad("file", accessible: failure) { return finding }
        switch failure {
        case nil: return .sound("file")
        case .stray(let path): return .bad("file", "check.stray", ["path": .text(path)])
        case .superJournal(let path): return .bad("file", "check.super_journal", ["path": .text(path)])
        case .notAStore: return .bad("file", "check.not_a_store")
        case .failed(let code): return .bad("file", "check.failed", ["code": .integer(Int(code))])
        default: return .bad("file", "check.damaged", ["problem": .text(messages.sentence("check.cut_short"))])
        }
    }

    private var space: StoreFinding {
        if let availableBytes, availableBytes < 16 << 20 {
            return .warning("space", "check.space_low", ["mebibytes": .integer(Int(availableBytes >> 20))])
        }
        return hasReserve ? .sound("space") : .warning("space", "check.reserve_missing")
    }

    private var library: StoreFinding {
        guard libraryVersion < Self.firstVersionWithSafeLog else { return .sound("library") }
        let (major, rest) = libraryVersion.quotientAndRemainder(dividingBy: 1_000_000)
        let version = "\(major).\(rest / 1000).\(rest % 1000)"
        return .warning("library", "check.library_old", ["version": .text(version)])
    }
}
