import LatchkeyAccounts

extension MemoryTransaction {
    // MARK: Sign-ups

    func insert(_ signUp: SignUp) throws(AccountError) {
        try beginWriting(.insertSignUp)
        guard !rows.signUps.contains(where: { $0.id == signUp.id }) else { throw failConstraint() }
        rows.signUps.append(signUp)
    }

    func signUp(_ id: AccountID) throws(AccountError) -> SignUp? {
        try begin(.signUp)
        return rows.signUps.first { $0.id == id }
    }

    func signUps(for address: EmailAddress) throws(AccountError) -> [SignUp] {
        try begin(.signUps)
        return rows.signUps.filter { $0.email == address }.enumerated()
            .sorted { ($0.element.createdAt, $0.offset) < ($1.element.createdAt, $1.offset) }.map(\.element)
    }

    func hasSignUp(for username: Username, after time: Timestamp) throws(AccountError) -> Bool {
        try begin(.signUps)
        return rows.signUps.contains { $0.username == username && $0.expiresAt > time }
    }

    func deleteSignUp(_ id: AccountID) throws(AccountError) { try deleteSignUps { $0.id == id } }

    func deleteSignUps(for address: EmailAddress) throws(AccountError) { try deleteSignUps { $0.email == address } }

    func deleteSignUps(expiredBy time: Timestamp) throws(AccountError) { try deleteSignUps { $0.expiresAt <= time } }

    private func deleteSignUps(where isDeleted: (SignUp) -> Bool) throws(AccountError) {
        try beginWriting(.deleteSignUps)
        let deleted = Set(rows.signUps.filter(isDeleted).map(\.id))
        rows.signUps.removeAll { deleted.contains($0.id) }
        for (tag, row) in rows.recovery {
            if let id = row.request.signUp, deleted.contains(id) { rows.recovery[tag]?.request.signUp = nil }
        }
    }

    // MARK: Reserved usernames

    var hasReservedNames: Bool {
        get throws(AccountError) {
            try begin(.reservedName)
            return !rows.reservedNames.isEmpty
        }
    }

    func reservedName(_ name: String) throws(AccountError) -> ReservedName? {
        try begin(.reservedName)
        return rows.reservedNames[Array(name.utf8)]
    }

    func reserve(_ name: ReservedName) throws(AccountError) {
        try beginWriting(.reserveName)
        rows.reservedNames[Array(name.name.utf8)] = name
    }

    func deleteReservedName(_ name: String) throws(AccountError) {
        try beginWriting(.deleteReservedNames)
        rows.reservedNames[Array(name.utf8)] = nil
    }

    func deleteReservedNames(of account: AccountID, keeping count: Int) throws(AccountError) {
        try beginWriting(.deleteReservedNames)
        let all = rows.reservedNames.values.filter { $0.account == account }
            .sorted { $0.expiresAt != $1.expiresAt ? $0.expiresAt > $1.expiresAt : $0.name < $1.name }
        for name in all.dropFirst(max(count, 0)) { rows.reservedNames[Array(name.name.utf8)] = nil }
    }

    func deleteReservedNames(expiredBy time: Timestamp) throws(AccountError) {
        try beginWriting(.deleteReservedNames)
        rows.reservedNames = rows.reservedNames.filter { $0.value.expiresAt > time }
    }
}
