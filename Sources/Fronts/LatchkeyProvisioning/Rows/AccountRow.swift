package import LatchkeyAccounts
package import LatchkeyForms

/// One row of a file, after all checks that need neither the other rows nor the store.
package enum ReadRow: Sendable {
    /// The row can create or update an account.
    case valid(AccountRow)
    /// The problems of the row; never empty.
    case refused([RowProblem])
}

/// A valid row and its position in the file.
package struct AccountRow: Sendable {
    /// The account that the row describes.
    package let account: CheckedAccount
    /// The line on which the row begins, counted from 1.
    package let line: Int
    /// The length of the row in bytes.
    let byteCount: Int
    /// The positions of the values that are compared with the store. They are stored, because conflicts are found when the row's
    /// bytes are no longer in memory.
    private var (id, username, email, groups): (TextPlace?, TextPlace?, TextPlace?, TextPlace?)

    /// - Parameters:
    ///   - uniqueColumns: the columns of ID, username, address and groups.
    ///   - place: converts an offset from the row's first byte into a position.
    init(
        _ account: CheckedAccount, line: Int, byteCount: Int, of cells: borrowing RowCells, _ uniqueColumns: [Int],
        place: (Int) -> TextPlace
    ) {
        self.account = account
        self.line = line
        self.byteCount = byteCount
        for column in uniqueColumns where cells.has(column) {
            let place = place(cells.offsets[column])
            switch cells.columns[column].key {
            case .accountID: id = place
            case .username: username = place
            case .email: email = place
            case .groups: groups = place
            default: break
            }
        }
    }

    private func place(of field: FieldKey?) -> TextPlace? {
        switch field {
        case .accountID?: id
        case .username?: username
        case .email?: email
        case .groups?: groups
        default: nil
        }
    }

    /// A problem at the position of the failed field, or on the row's first line if the row has no such value.
    package func problem(_ failure: RuleFailure) -> RowProblem {
        RowProblem(
            failure, at: place(of: failure.field), line: line,
            username: account.username?.typed)
    }
}

/// A problem of a row, with its position in the file.
package struct RowProblem: Sendable {
    /// The row's username, which identifies the row; nil if it is missing or invalid.
    package let username: String?
    /// The failure, without values of the row.
    package let failure: RuleFailure
    /// The line, counted from 1.
    package let line: Int
    /// The column in code points, counted from 1; nil if the problem concerns the whole row.
    package let column: Int?

    /// - Parameter line: used if `place` is nil.
    init(_ failure: RuleFailure, at place: TextPlace?, line: Int, username: String? = nil) {
        self.failure = failure
        self.username = username
        self.line = place?.line ?? line
        column = place?.column
    }

    /// The problem of a row longer than ``RowCells/maximumBytes``.
    static func tooLong(line: Int) -> RowProblem {
        let values = ["maximum": RuleFailure.Value.integer(RowCells.maximumBytes)]
        return RowProblem(RuleFailure(code: .tooLong, values: values), at: nil, line: line)
    }
}
