/// The differences between two lists. The `id` identifies a row; an equal row is unchanged.
struct RowChanges: Equatable, Sendable {
    /// Ids in the order of the new list; removed ids in the order of the old one.
    let inserted, removed, changed: [Int]

    init<Row: Identifiable & Equatable>(from old: [Row], to new: [Row]) where Row.ID == Int {
        let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
        let present = Set(new.map(\.id))
        inserted = new.map(\.id).filter { before[$0] == nil }
        removed = old.map(\.id).filter { !present.contains($0) }
        changed = new.filter { row in before[row.id].map { $0 != row } ?? false }.map(\.id)
    }
}
