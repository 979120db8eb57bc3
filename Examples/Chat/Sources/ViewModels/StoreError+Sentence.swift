import LatchkeyAccounts

extension StoreError {
    /// A sentence for problems that the user can solve; otherwise the code, for the administrator of the database.
    var sentence: String {
        switch self {
        case .busy: "the database is in use by another program"
        case .full: "there is no room left on the disk"
        case .readOnly, .denied, .exposed: "the database may not be written"
        case .missing: "the database is not there"
        case .corrupt, .notAStore: "the database is damaged"
        case .newer: "the database is of a newer version"
        default: "the database fails (\(self))"
        }
    }
}
