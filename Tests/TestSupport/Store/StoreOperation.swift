/// The operations of a store, for tests that count them or make one fail.
public enum StoreOperation: String, CaseIterable, Sendable {
    case storeID, hasAccounts, account, insertAccount, updateAccount, deleteAccount, accounts, unverifiedAccounts
    case replaceHash, hashCosts, hashes, usedSealingKeys, hashCounts, sealingKeys, insertSealingKey, deleteSealingKey
    case noteLogin, insertSession, session, sessions, oldSessions, touchSession, deleteSession, deleteSessions
    case insertRecoveryRequest, recoveryRequest, spendRecoveryCode, recoveryRequests, deleteRecoveryRequests
    case insertSignUp, signUp, signUps, deleteSignUps, reservedName, reserveName, deleteReservedNames
    case deleteExpiredRecoveryRequests, emailChanges, requestsVerifying, codeFailures, setCodeFailures
    case device, devices, setDevice, deleteDevices
    case authenticator, setAuthenticator, deleteFactors, authenticators, savedCodes, setSavedCodes, spendSavedCode
    case insertPendingLogin, pendingLogin, deletePendingLogins
    case insertPasskey, passkey, passkeys, updatePasskey, deletePasskeys
    case insertPasskeyChallenge, takePasskeyChallenge, deletePasskeyChallenges
    case insertAppPassword, appPassword, appPasswords, touchAppPassword, deleteAppPasswords
    case failures, setFailures, throttlesWithUnrecordedRefusals, sourceFailures, setSourceFailures
    case enqueue, waitingMessages, dueMessages, postponeMessage, setFailure, deleteMessage
    case counts, auditCounts
    case insertToken, operatorToken, operatorTokens, touchToken, deleteToken
    case insertClient, client, clients, updateClient, deleteClient
    case insertSigningKey, signingKeys, updateSigningKey, deleteSigningKeys
    case insertAuthorization, authorization, deleteAuthorizations, consents, setConsent, deleteConsent
    case insertGrant, insertGrantToken, grantToken, grants, spendGrantToken, accessTokens, deleteGrants
    case insertDeviceRequest, deviceRequest, updateDeviceRequest, deleteDeviceRequests
    case insertGroup, group, groups, updateGroup, deleteGroup, groupsOfAccount, addToGroups, removeFromGroups
    case clockMark, setClockMark, serverTime, revokeEverything
    case auditHead, appendAudit, auditRows, auditRotations, auditSize, dropAudit, auditFlood, setAuditFlood
    case beginWrite, commit, beginRead
}
