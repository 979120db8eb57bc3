/// One step from a schema to the next. A step that has shipped is never edited, only followed by another.
struct Migration {
    /// The schema that it leads to, which its last statement sets as `user_version`.
    let number: Int
    let sql: StaticString

    /// In order; the first makes the schema from nothing.
    static let all = [first, second, third, fourth, fifth, sixth, seventh]

    /// The schema that this version of the program reads and writes.
    static var newest: Int { all.last?.number ?? 0 }
}
