import LatchkeyAccounts

extension AccountService {
    /// The same service, whose audit records are sealed by a job, as in `latchkey serve`. `scripts/bench postgres --before`
    /// replaces this file for commits without one.
    func withSealingJob() async throws(AccountError) -> AccountService {
        var service = self
        service.sealsAfterChanges = false
        try await prepareStore()
        Task { [service] in
            while true {
                _ = try? await service.sealAudit()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return service
    }
}
