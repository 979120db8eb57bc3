/// Finds the name that the user probably meant to type.
enum Suggestion {
    /// The name most similar to `word`; nil if more than a third of the letters differ.
    static func nearest(to word: String, among names: [String]) -> String? {
        similar(to: word, among: names, by: \.self).first
    }

    /// The values whose names differ from `word` in at most a third of the letters, the most similar first.
    static func similar<Value>(to word: String, among values: [Value], by name: (Value) -> String) -> [Value] {
        let limit = max(1, word.unicodeScalars.count / 3)
        let distances = values.map { (value: $0, distance: distance(word, name($0))) }
        // The order of equally similar names stays as it is.
        return distances.enumerated().filter { $0.element.distance <= limit }
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }.map(\.element.value)
    }

    /// The Damerau-Levenshtein distance: the number of letters to insert, remove, replace, or swap with their
    /// neighbour.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.unicodeScalars.prefix(64))
        let right = Array(right.unicodeScalars.prefix(64))
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (row, scalar) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = previous[column] + (scalar == other ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
