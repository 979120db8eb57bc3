package import LatchkeyForms

/// The reasons why a row of an import or a desired state is refused.
extension RuleFailure.Code {
    /// The value is not the ID of an account.
    package static let notID = Self(rawValue: "not_id")
    /// The value is not a time in RFC 3339 format.
    package static let notTime = Self(rawValue: "not_time")
    /// The value is not an array of names of groups, or in CSV a text with spaces between them.
    package static let notGroups = Self(rawValue: "not_groups")
    /// There is no group with this name. Values: `name`.
    package static let groupUnknown = Self(rawValue: "group_unknown")
    /// The account would have too many groups. Values: `maximum`.
    package static let tooManyGroups = Self(rawValue: "too_many_groups")
    /// The list of groups in a desired state is not an array of objects with a `name` and perhaps a `title`.
    package static let groupsMalformed = Self(rawValue: "groups_malformed")
    /// An earlier line of the same file has the same value. Values: `line`.
    package static let duplicate = Self(rawValue: "duplicate")
    /// The JSON is incomplete.
    package static let jsonEnd = Self(rawValue: "json_end")
    /// The JSON contains a character that is not allowed at this position.
    package static let jsonUnexpected = Self(rawValue: "json_unexpected")
    /// The JSON contains a comment.
    package static let jsonComment = Self(rawValue: "json_comment")
    /// The JSON contains a lone surrogate.
    package static let jsonSurrogate = Self(rawValue: "json_surrogate")
    /// The JSON is nested too deeply.
    package static let jsonDepth = Self(rawValue: "json_depth")
    /// There is text after the JSON value.
    package static let jsonAfterEnd = Self(rawValue: "json_after_end")
    /// The line is not a JSON object.
    package static let jsonObject = Self(rawValue: "json_object")
    /// A column occurs twice.
    package static let columnTwice = Self(rawValue: "column_twice")
    /// A column is unknown. Values: `known`. The name in the file is not reported, because it could be a secret in the
    /// wrong place.
    package static let columnUnknown = Self(rawValue: "column_unknown")
    /// A column in a mapping does not exist. Values: `name`.
    package static let columnMissing = Self(rawValue: "column_missing")
    /// The desired state has no list of accounts, or has other members.
    package static let accountsMissing = Self(rawValue: "accounts_missing")
    /// The value is not the path of a file.
    package static let notPath = Self(rawValue: "not_path")
    /// The desired state contains a plain-text password.
    package static let passwordPlain = Self(rawValue: "password_plain")
    /// CSV does not allow a quotation mark at this position.
    package static let csvQuote = Self(rawValue: "csv_quote")
    /// The quotation mark of a cell is never closed.
    package static let csvOpen = Self(rawValue: "csv_open")
    /// A row has the wrong number of cells. Values: `count` and `expected`.
    package static let csvCells = Self(rawValue: "csv_cells")
    /// The CSV has no header.
    package static let csvHeader = Self(rawValue: "csv_header")
}
