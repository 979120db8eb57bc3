import LatchkeyAccounts
import LatchkeyForms

/// `audit list` and `audit follow`: reads the trail piece by piece, so that it takes no more memory than a piece does, and
/// lets others write between them.
struct AuditListing {
    private let context: CommandContext
    private let installation: Installation
    private let filter: AuditFilter

    init(context: CommandContext, installation: Installation) async throws(ToolFailure) {
        self.context = context
        self.installation = installation
        filter = try await Self.filter(context.invocation, installation)
    }

    /// Prints what is there.
    func list() async throws(ToolFailure) {
        let limit = try limit
        var newest: [AuditRow] = []
        var last: Int64 = 0
        while let page = try await page(after: last), let end = page.last {
            last = end
            if let limit {
                newest += page.rows
                newest.removeFirst(max(newest.count - limit, 0))
            } else {
                for row in page.rows { try context.output.row(of: row) }
            }
        }
        for row in newest { try context.output.row(of: row) }
    }

    /// Prints what comes, for ever.
    func follow() async throws(ToolFailure) {
        var last: Int64 = 0
        if filter.since == nil {
            let end = try await installation.asking { (service) async throws(AccountError) in
                try await service.auditEnd()
            }
            last = end?.sequence ?? 0
        }
        while true {
            if let page = try await pageInTime(after: last), let end = page.last {
                for row in page.rows { try context.output.row(of: row) }
                last = end
            } else {
                // Nothing tells of another process's commit: who wants to know has to ask.
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Nil while somebody else holds the store: it is asked again.
    private func pageInTime(after last: Int64) async throws(ToolFailure) -> AuditPage? {
        do throws(ToolFailure) { return try await page(after: last) } catch {
            guard error.status == .unavailable else { throw error }
            return nil
        }
    }

    private func page(after last: Int64) async throws(ToolFailure) -> AuditPage? {
        guard context.invocation.has("mine") else {
            return try await installation.asking { (service) async throws(AccountError) in
                try await service.auditPage(after: last, matching: filter)
            }
        }
        guard let token = try await installation.token() else { throw ToolFailure(.noSession) }
        return try await installation.asking { (service) async throws(AccountError) in
            try await service.auditPage(ofOwner: token, after: last, matching: filter)
        }
    }

    // MARK: Flags

    private var limit: Int? {
        get throws(ToolFailure) {
            guard let value = context.invocation.value("limit") else { return nil }
            guard let number = value.wholeNumber, number > 0 else {
                throw .badNumber(name: "--limit")
            }
            return number
        }
    }

    private static func filter(
        _ invocation: Invocation, _ installation: Installation
    ) async throws(ToolFailure) -> AuditFilter {
        var filter = AuditFilter()
        if let event = invocation.value("event") {
            let name = event.text ?? "\u{FFFD}"
            guard AuditEvent(rawValue: name) != nil else { throw unknownEvent(name) }
            filter.event = name
        }
        if let since = invocation.value("since") {
            guard let time = since.text.flatMap({ Timestamp(rfc3339: $0) }) else {
                throw .badTime(name: "--since")
            }
            filter.since = time
        }
        if let account = invocation.value("account") {
            guard !invocation.has("mine") else { throw .auditMineAlone }
            // An account that is gone still has its records, under its id.
            if let id = account.text.flatMap({ AccountID($0) }) {
                filter.account = id
            } else {
                filter.account = try await installation.account(named: account.text).id
            }
        }
        return filter
    }

    private static func unknownEvent(_ name: String) -> ToolFailure {
        guard let nearest = Suggestion.nearest(to: name, among: AuditEvent.allCases.map(\.rawValue)) else {
            return ToolFailure.unknownEvent(event: name)
        }
        return ToolFailure.unknownEventSuggestion(event: name, nearest: nearest)
    }
}
