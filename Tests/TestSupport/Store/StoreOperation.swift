/// The operations of a store, for tests that count them or make one fail.
public enum StoreOperation: String, CaseIterable, Sendable {
    case storeID, hasAccounts, account, insertAccount, updateAccount, deleteAccount, accounts, unverifiedAccounts
    case replaceHash, slowestHash, hashes, usedSealingKeys, hashCounts, sealingKeys, insertSealingKey, deleteSealingKey
    case insertSession, session, sessions, oldSessions, touchSession, deleteSession, deleteSessions
    case insertRecoveryRequest, recoveryRequest, spendRecoveryCode, recoveryRequests, deleteRecoveryRequests
    case deleteExpiredRecoveryRequests, emailChanges, codeFailures, setCodeFailures
    case device, setDevice, deleteDevices
    case authenticator, setAuthenticator, deleteFactors, authenticators, savedCodes, setSavedCodes, spendSavedCode
    case wrongCodes, setWrongCodes, insertPendingLogin, pendingLogin, deletePendingLogins
    case insertPasskey, passkey, passkeys, updatePasskey, deletePasskeys
    case insertPasskeyChallenge, takePasskeyChallenge, deletePasskeyChallenges
    case insertAppPassword, appPassword, appPasswords, touchAppPassword, deleteAppPasswords
    case failures, setFailures, throttlesWithUnrecordedRefusals, sourceFailures, setSourceFailures
    case enqueue, waitingMessages, dueMessages, postponeMessage, setFailure, deleteMessage
    case counts, auditCounts
    case insertToken, operatorToken, operatorTokens, touchToken, deleteToken
    case clockMark, setClockMark, revokeEverything
    case auditHead, appendAudit, auditRows, auditRotations, auditSize, dropAudit, auditFlood, setAuditFlood
    case beginWrite, commit, beginRead
}
