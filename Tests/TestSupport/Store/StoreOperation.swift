/// What is asked of a store, for tests that count calls or make one of them fail.
public enum StoreOperation: String, CaseIterable, Sendable {
    case storeID, hasAccounts, account, insertAccount, updateAccount, deleteAccount, accounts
    case insertSession, session, sessions, touchSession, deleteSession, deleteSessions
    case insertRecoveryRequest, recoveryRequest, spendRecoveryCode, recoveryRequests, deleteRecoveryRequests
    case deleteExpiredRecoveryRequests
    case failures, setFailures
    case enqueue, waitingMessages, deleteMessage
    case auditHead, appendAudit, auditRecords
    case beginWrite, commit, beginRead
}
