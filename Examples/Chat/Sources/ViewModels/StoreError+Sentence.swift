import LatchkeyAccounts

extension StoreError {
    /// What a person can do something about; the rest by its code, for whoever looks after the database.
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
