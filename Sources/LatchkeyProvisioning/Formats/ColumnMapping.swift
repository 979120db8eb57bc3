package import LatchkeyForms

/// A column of a CSV file that has another program's name.
package struct ColumnMapping: Sendable {
    /// The name in the header.
    package let name: [UInt8]
    /// The place of its column in ``RowChecker/columns(of:)``; nil if the column is ignored.
    let column: Int?

    /// Reads `COLUMN=FIELD`, or `COLUMN=` for a column that is ignored; nil if FIELD is not a column of the form.
    package init?(_ text: String, _ form: Form) {
        // A field's name has no equals sign.
        guard let sign = text.lastIndex(of: "="), sign > text.startIndex else { return nil }
        name = Array(text[..<sign].utf8)
        let field = Array(text[text.index(after: sign)...].utf8)
        column = RowChecker.columns(of: form).firstIndex { $0.names.contains(field) }
        guard column != nil || field.isEmpty else { return nil }
    }

    /// The names of the fields that a column can be mapped to, for messages.
    package static func known(_ form: Form) -> String { RowColumn.known(RowChecker.columns(of: form)) }
}
