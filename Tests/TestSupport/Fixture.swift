public import Foundation

/// Tables of cases: JSON Lines under `Tests/Fixtures`, an object a line, each with the reason why it is there.
public enum Fixture {
    /// A table that cannot be read, by file and line.
    public struct Unreadable: Error, CustomStringConvertible {
        public let path: String
        /// 1 for the first line; nil where the file itself cannot be read or holds no row.
        public let line: Int?
        public let reason: String

        public var description: String {
            "Tests/Fixtures/\(path)\(line.map { ":\($0)" } ?? ""): \(reason)"
        }
    }

    /// The folder `Tests/Fixtures` of the sources this was built from.
    public static var folder: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")
    }

    /// The rows of a table, in its order; empty lines are skipped.
    ///
    /// - Parameter path: from `Tests/Fixtures`, such as `text/opaque-string.jsonl`.
    /// - Throws: ``Unreadable``, also where there is no row at all: a table that was lost must not pass.
    public static func rows<Row: Decodable>(of type: Row.Type, in path: String) throws -> [Row] {
        let text = try contents(of: path)
        let decoder = JSONDecoder()
        var rows: [Row] = []
        // By the byte: to a `Character` view a carriage return and a line feed are one, and no line ends.
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty else { continue }
            do {
                rows.append(try decoder.decode(type, from: Data(line)))
            } catch {
                throw Unreadable(path: path, line: index + 1, reason: "\(error)")
            }
        }
        guard !rows.isEmpty else { throw Unreadable(path: path, line: nil, reason: "no rows") }
        return rows
    }

    /// The bytes of one file, for what is no table: a published vector, a golden frame.
    public static func contents(of path: String) throws -> Data {
        do {
            return try Data(contentsOf: folder.appending(path: path))
        } catch {
            throw Unreadable(path: path, line: nil, reason: "\(error)")
        }
    }
}
