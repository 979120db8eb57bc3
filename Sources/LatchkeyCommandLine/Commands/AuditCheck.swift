import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

/// `audit verify`: says whether the trail is as it was written, and from where to where.
struct AuditCheck {
    let run: Run

    func perform() async throws(ToolFailure) {
        let anchors = try anchors
        let first = try first
        let installation = try await Installation.open(run, creating: false, checkingKeys: false)
        let verification = try await installation.asking { (service) async throws(AccountError) in
            try await service.verifyAudit(from: first, anchors: anchors)
        }
        guard verification.finding == .intact else { throw ToolFailure(verification.finding) }
        try report(verification, isFromStart: first == nil)
    }

    private func report(_ verification: AuditVerification, isFromStart: Bool) throws(ToolFailure) {
        guard !run.output.json else {
            let head = verification.head
            return try run.output.success([
                ("first", .integer(Int(verification.first))),
                ("last", head.map { .integer(Int($0.sequence)) } ?? .null),
                ("hash", head.map { .string(Hexadecimal.text(of: $0.hash)) } ?? .null),
            ])
        }
        let first = RuleFailure.Value.integer(Int(verification.first))
        guard let head = verification.head else {
            return try run.output.result(run.messages.sentence("tool.audit_nothing", ["first": first]))
        }
        let isShortened = isFromStart && verification.first > 1
        try run.output.result(
            run.messages.sentence(
                isShortened ? "tool.audit_intact_from" : "tool.audit_intact",
                ["first": first, "last": .integer(Int(head.sequence))]))
    }

    private var first: Int64? {
        get throws(ToolFailure) {
            guard let value = run.invocation.value("from") else { return nil }
            guard let number = value.wholeNumber, number > 0 else {
                throw ToolFailure(.usage, "bad_number", ["name": .text("--from")])
            }
            return Int64(number)
        }
    }

    /// In bytes: the heads of every hour of some years.
    private static let maximumFileBytes = 1 << 22

    private var anchors: [AuditAnchor] {
        get throws(ToolFailure) {
            guard let value = run.invocation.value("anchor") else { return [] }
            guard let path = value.path else { throw ToolFailure(.usage, "bad_path", ["name": .text("--anchor")]) }
            if let hash = AuditAnchor(path), hash.sequence == nil { return [hash] }
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try GivenFiles.bytes(path, limit: Self.maximumFileBytes)
            } catch {
                throw ToolFailure(reading: path, error)
            }
            let refused = ToolFailure(.data, "bad_anchor", ["name": .text(path)])
            guard bytes.count <= Self.maximumFileBytes, let text = String(validating: bytes, as: UTF8.self) else {
                throw refused
            }
            var anchors: [AuditAnchor] = []
            for line in text.split(whereSeparator: \.isNewline) {
                // A line that is none may be one that was damaged: what cannot be compared must not pass.
                guard let anchor = AuditAnchor(String(line)) else { throw refused }
                anchors.append(anchor)
            }
            guard !anchors.isEmpty else { throw refused }
            return anchors
        }
    }
}

extension ToolFailure {
    fileprivate init(_ finding: AuditVerification.Finding) {
        let (code, number): (String, Int64?) =
            switch finding {
            case .intact: ("internal", nil)
            case .broken(let sequence): ("audit_broken", sequence)
            case .anchorDiffers(let sequence): ("audit_anchor_differs", sequence)
            case .anchorAfterEnd(let sequence): ("audit_anchor_after_end", sequence)
            case .anchorBeforeStart(let sequence): ("audit_anchor_before_start", sequence)
            case .anchorUnknown: ("audit_anchor_unknown", nil)
            }
        self.init(.no, code, number.map { ["sequence": .integer(Int($0))] } ?? [:])
        if let number { members = [("sequence", .integer(Int(number)))] }
    }
}
