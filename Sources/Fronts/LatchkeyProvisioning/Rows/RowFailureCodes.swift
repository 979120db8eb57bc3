package import LatchkeyForms

/// The reasons why a row of an import or a desired state is refused.
extension RuleFailure.Code {
    /// Not the id of an account.
    package static let notID = Self(rawValue: "not_id")
    /// Not a time (RFC 3339).
    package static let notTime = Self(rawValue: "not_time")
    /// The value of an earlier line of the same file. Values: `line`.
    package static let duplicate = Self(rawValue: "duplicate")
    /// The JSON ends too early.
    package static let jsonEnd = Self(rawValue: "json_end")
    /// The JSON has a character that is not allowed here.
    package static let jsonUnexpected = Self(rawValue: "json_unexpected")
    /// The JSON has a comment.
    package static let jsonComment = Self(rawValue: "json_comment")
    /// The JSON has a lone surrogate.
    package static let jsonSurrogate = Self(rawValue: "json_surrogate")
    /// The JSON is nested too deeply.
    package static let jsonDepth = Self(rawValue: "json_depth")
    /// The line continues after its JSON value.
    package static let jsonAfterEnd = Self(rawValue: "json_after_end")
    /// The line is not a JSON object.
    package static let jsonObject = Self(rawValue: "json_object")
    /// A column exists twice.
    package static let columnTwice = Self(rawValue: "column_twice")
    /// An unknown column. Values: `known`. The given name is not reported, because it could be a secret value in
    /// the wrong place.
    package static let columnUnknown = Self(rawValue: "column_unknown")
    /// A column that a mapping names does not exist. Values: `name`.
    package static let columnMissing = Self(rawValue: "column_missing")
    /// A desired state without a list of accounts, or with other members.
    package static let accountsMissing = Self(rawValue: "accounts_missing")
    /// A plain-text password in a desired state.
    package static let passwordPlain = Self(rawValue: "password_plain")
    /// A quotation mark at a place where CSV does not allow it.
    package static let csvQuote = Self(rawValue: "csv_quote")
    /// A quoted cell does not end.
    package static let csvOpen = Self(rawValue: "csv_open")
    /// A row with the wrong number of cells. Values: `count` and `expected`.
    package static let csvCells = Self(rawValue: "csv_cells")
    /// The CSV has no header.
    package static let csvHeader = Self(rawValue: "csv_header")
}
