import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

/// `audit verify`: says whether the trail is as it was written, and from where to where.
struct AuditCheck {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let anchors = try anchors
        let first = try first
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let verification = try await installation.asking { (service) async throws(AccountError) in
            try await service.verifyAudit(from: first, anchors: anchors)
        }
        guard verification.finding == .intact else { throw .auditUnsound(verification.finding) }
        try report(verification, isFromStart: first == nil)
    }

    private func report(_ verification: AuditVerification, isFromStart: Bool) throws(ToolFailure) {
        guard !context.output.json else {
            let head = verification.head
            return try context.output.success([
                ("first", .integer(Int(verification.first))),
                ("last", head.map { .integer(Int($0.sequence)) } ?? .null),
                ("hash", head.map { .string(Hexadecimal.text(of: $0.hash)) } ?? .null),
            ])
        }
        let first = RuleFailure.Value.integer(Int(verification.first))
        guard let head = verification.head else {
            return try context.output.result(context.messages.sentence("tool.audit_nothing", ["first": first]))
        }
        let isShortened = isFromStart && verification.first > 1
        try context.output.result(
            context.messages.sentence(
                isShortened ? "tool.audit_intact_from" : "tool.audit_intact",
                ["first": first, "last": .integer(Int(head.sequence))]))
    }

    private var first: Int64? {
        get throws(ToolFailure) {
            guard let value = context.invocation.value("from") else { return nil }
            guard let number = value.wholeNumber, number > 0 else {
                throw .badNumber(name: "--from")
            }
            return Int64(number)
        }
    }

    /// In bytes: the heads of every hour of some years.
    private static let maximumFileBytes = 1 << 22

    private var anchors: [AuditAnchor] {
        get throws(ToolFailure) {
            guard let value = context.invocation.value("anchor") else { return [] }
            guard let path = value.path else { throw .badPath(name: "--anchor") }
            if let hash = AuditAnchor(path), hash.sequence == nil { return [hash] }
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try InputFiles.bytes(path, limit: Self.maximumFileBytes)
            } catch {
                throw .reading(path, error)
            }
            let refused = ToolFailure.badAnchor(name: path)
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
