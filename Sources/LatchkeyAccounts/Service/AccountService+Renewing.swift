import LatchkeySecrets

extension AccountService {
    /// Makes the hash of somebody anew who has just been let in, where it is not as new hashes are. In a transaction of
    /// its own: whatever goes wrong, they are in.
    ///
    /// - Parameter account: as it was verified.
    func renewHash(of account: Account, knowing password: Secret?, _ trail: AuditTrail) async {
        guard settings.renewal != .never, let stored = account.passwordHash,
            case .hash(let bare) = opened(stored, of: account.id), let traits = try? hasher.examine(bare),
            let prepared = try? preparedToVerify(password),
            traits.isRenewed(knowing: prepared.count, allowingDowngrade: settings.renewal == .always)
        else { return }
        do throws(AccountError) {
            let new = try await hash(prepared)
            try await store.write { [self] (transaction) throws(AccountError) in
                // Where another password has been set meanwhile, or another login was first, nothing is to be done.
                _ = try transaction.replaceHash(
                    of: account.id, stored, by: sealed(new, for: account.id, in: transaction))
            }
        } catch {
            let reason: AuditReason = if case .store = error { .storeFailed } else { .notJudged }
            // The trail is in the store: where that has failed, it may not take this either.
            try? await store.write { [clock] (transaction) throws(AccountError) in
                try trail.append(.rehashFailed, about: account.id, reason: reason, at: clock.now(), in: transaction)
            }
        }
    }
}
