package import LatchkeyForms

/// The first line of a recording that does not happen again.
public struct RecordingDifference: Equatable, Sendable {
    /// From 1.
    public let line: Int
    package let expected: JSONValue
    /// Nil where nothing happens.
    package let found: JSONValue?

    /// - Parameter place: of the line, from 0.
    init(_ place: Int, expected: JSONValue, found: JSONValue?) {
        line = place + 1
        self.expected = expected
        self.found = found
    }

    /// What was recorded and what was found instead, a line each: of two frames, the rows alone that differ, with their
    /// numbers from 1.
    public var parts: [(expected: String?, found: String?, row: Int?)] {
        guard case .array(let expectedRows)? = expected["frame"], case .array(let foundRows)? = found?["frame"] else {
            return [(expected.encoded, found?.encoded, nil)]
        }
        var parts: [(expected: String?, found: String?, row: Int?)] = []
        for row in 0..<max(expectedRows.count, foundRows.count) {
            let (was, isNow) = (expectedRows.element(row), foundRows.element(row))
            if was != isNow { parts.append((was?.encoded, isNow?.encoded, row + 1)) }
        }
        for key in ["at", "cursor", "pinned"] where expected[key] != found?[key] {
            func told(_ json: JSONValue?) -> String? { json?[key].map { "\"\(key)\":" + $0.encoded } }
            parts.append((told(expected), told(found), nil))
        }
        return parts
    }
}

extension [JSONValue] {
    fileprivate func element(_ index: Int) -> JSONValue? { indices.contains(index) ? self[index] : nil }
}
