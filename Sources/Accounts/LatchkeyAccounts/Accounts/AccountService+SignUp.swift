import LatchkeyForms

extension AccountService {
    /// Stores a sign-up and sends a code to its address.
    ///
    /// If addresses are hidden and this one has an account, the same is stored and returned. The owner of the address
    /// gets a code for that account instead, and no code exists that could complete the sign-up.
    ///
    /// - Returns: the future account, which is not stored.
    func signUp(_ checked: CheckedAccount, _ trail: AuditTrail) async throws(AccountError) -> Account {
        let newID = try newAccountID()
        let code = try newCode()
        let account = try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            try removeUnverified(at: now, trail, in: transaction)
            var id = newID
            if let digest = invitationDigest {
                let invited = key.account(ofInvitation: digest)
                if try transaction.account(.id(invited)) == nil { id = invited }
            }
            // First, because a person who signs up again with the invitation keeps the username.
            let groups = try spendInvitation(for: id, at: now, trail, in: transaction)
            if let username = checked.username {
                try refuseNameOfSignUp(username, by: .owner, at: now, in: transaction)
                let isTaken = try transaction.account(.username(username)) != nil
                let isReserved = try isReserved(username, for: id, at: now, in: transaction)
                if isTaken || isReserved { throw .taken(field: .username) }
            }
            let owner = try transaction.account(.email(checked.email))
            if owner != nil, !settings.hidesTakenAddresses { throw .taken(field: .email) }
            let signUp = SignUp(
                id: id, email: checked.email, username: checked.username, attributes: checked.newAttributes,
                groups: groups, network: network, createdAt: now, expiresAt: now.advanced(by: SignUp.lifetime))
            try makeRoom(for: signUp, at: now, in: transaction)
            try transaction.insert(signUp)
            try trail.append(.signUpRequested, about: id, at: now, in: transaction)
            if let owner {
                try sendAgain(code, to: owner, at: now, in: transaction)
            } else {
                try send(code, to: signUp, at: now, in: transaction)
            }
            return signUp.account(at: now)
        }
        await deliverMessages()
        return account
    }

    /// Deletes the expired sign-ups of the same address, and another one if there are too many.
    ///
    /// The network with the most of them loses its oldest one, so that a stranger cannot push out the owner's from one
    /// network.
    private func makeRoom(
        for signUp: SignUp, at now: Timestamp, in transaction: any SignUpRows
    ) throws(AccountError) {
        var all: [SignUp] = []
        for old in try transaction.signUps(for: signUp.email) {
            if old.isLive(at: now) { all.append(old) } else { try transaction.deleteSignUp(old.id) }
        }
        while all.count >= SignUp.perAddress {
            let counts = Dictionary((all + [signUp]).map { ($0.network, 1) }, uniquingKeysWith: +)
            let most = counts.values.max() ?? 0
            guard let index = all.firstIndex(where: { counts[$0.network] == most }) else { return }
            try transaction.deleteSignUp(all.remove(at: index).id)
        }
    }

    /// Sends the code of a sign-up, or queues a decoy if its network has asked for too many.
    private func send(
        _ code: NewCode, to signUp: SignUp, at now: Timestamp, in transaction: any RecoveryRows & OutboxRows
    ) throws(AccountError) {
        let throttle = key.throttle(ofSignUpFor: signUp.email, from: signUp.network)
        let inHour = try codes(to: signUp.email, in: throttle, since: .seconds(3600), at: now, in: transaction)
        let valid = try codes(
            to: signUp.email, in: throttle, since: RecoveryCode.lifetime - .milliseconds(1), at: now, in: transaction)
        let mayReceive = try mayReceiveCode(toNew: signUp.email, at: now, in: transaction)
        guard mayReceive, admitsCode(inHour: inHour, valid: valid) else {
            return try sendDecoy(.signUp, code, for: signUp.email, at: now, in: transaction)
        }
        try send(
            code, as: .signUp, to: signUp.email, for: throttle, newEmail: signUp.email, signUp: signUp.id, at: now,
            in: transaction)
    }

    /// Whether Latchkey may send another message to an address without an account. All clients share this limit.
    func mayReceiveCode(
        toNew address: EmailAddress, at now: Timestamp, in transaction: any RecoveryRows
    ) throws(AccountError) -> Bool {
        try codes(to: address, in: nil, since: .seconds(3600), at: now, in: transaction)
            < AccountSettings.mostMessagesToNewAddressPerHour
    }

    private func codes(
        to address: EmailAddress, in throttle: Throttle?, since age: Duration, at now: Timestamp,
        in transaction: any RecoveryRows
    ) throws(AccountError) -> Int {
        try transaction.requests(verifying: address, in: throttle, since: now.advanced(by: .zero - age))
    }

    /// Sends a code to the owner of an existing account with this address, as often as a recovery may.
    private func sendAgain(
        _ code: NewCode, to owner: Account, at now: Timestamp, in transaction: any RecoveryRows & OutboxRows
    ) throws(AccountError) {
        guard try mayReceiveCode(.account(owner.id), at: now, in: transaction), owner.state == .active else {
            return try sendDecoy(.signUpAgain, code, for: owner.email, at: now, in: transaction)
        }
        try send(code, as: .signUpAgain, to: owner.email, for: .account(owner.id), at: now, in: transaction)
    }

    /// Stores a message without a recipient, with the size and the lifetime of one to the address.
    func sendDecoy(
        _ letter: AccountMessage.Letter, _ code: NewCode, for address: EmailAddress, at now: Timestamp,
        in transaction: any OutboxRows
    ) throws(AccountError) {
        let message = AccountMessage(letter, carrying: code.code, for: address.folded, settings)
        try transaction.enqueue(
            message.decoy(
                standingFor: address.folded, id: code.messageID, at: now,
                expiresAt: now.advanced(by: letter.lifetime)))
    }

    /// The sign-up that a new code for its address completes: the newest one of the caller's network, or else the
    /// newest one.
    func signUpToComplete(
        for address: EmailAddress, at now: Timestamp, in transaction: any SignUpRows
    ) throws(AccountError) -> SignUp? {
        let all = try transaction.signUps(for: address).filter { $0.isLive(at: now) }
        return all.last { $0.network == network } ?? all.last
    }

    /// Creates the account of a sign-up, whose owner has entered the code from its address, and deletes the other
    /// sign-ups of the address.
    ///
    /// - Parameter passwordHash: nil if the code was not valid at the look-up.
    /// - Returns: the error to throw after the commit; nil after success.
    /// - Throws: ``AccountError/taken(field:)`` if an operator has given the username away. The code stays valid.
    func finishSignUp(
        _ id: AccountID, by request: RecoveryRequest, _ passwordHash: BareHash?, messageID: String, at now: Timestamp,
        _ trail: AuditTrail, in transaction: any StoreTransaction
    ) throws(AccountError) -> AccountError? {
        _ = try transaction.spendRecoveryCode(request.tag, at: now)
        try removeUnverified(at: now, trail, in: transaction)
        guard let passwordHash, request.isLive(at: now, latest: try transaction.latest(now)),
            let signUp = try transaction.signUp(id),
            signUp.isLive(at: now), try transaction.account(.email(signUp.email)) == nil
        else {
            try trail.append(.recoveryFailed, about: id, reason: .expired, at: now, in: transaction)
            return Self.refusedCode
        }
        var account = signUp.account(at: now)
        account.setPassword(try sealed(passwordHash, for: id, in: transaction), at: now)
        account.emailVerifiedAt = now
        try moveName(of: account, from: nil, at: now, in: transaction)
        try transaction.insert(account)
        try transaction.deleteSignUps(for: account.email)
        try clearThrottles(of: account, recording: trail, at: now, in: transaction)
        try transaction.enqueue(
            AccountMessage(.welcome, settings).addressed(to: account.email, id: messageID, at: now))
        let ownTrail = trail.acting(as: id)
        try ownTrail.append(.userCreated, about: id, at: now, in: transaction)
        try joinInitialGroups(id, invitedTo: signUp.groups, at: now, ownTrail, in: transaction)
        return nil
    }
}
