public import Foundation
public import LatchkeyForms

/// Tables of cases: JSON Lines under `Tests/Fixtures`, one object per line, each with the reason for the case.
public enum Fixture {
    /// A table that cannot be read, with its file and line.
    public struct Unreadable: Error, CustomStringConvertible {
        public let path: String
        /// The line, from 1; nil if the file itself cannot be read or has no row.
        public let line: Int?
        public let reason: String

        public var description: String {
            "Tests/Fixtures/\(path)\(line.map { ":\($0)" } ?? ""): \(reason)"
        }
    }

    /// The folder `Tests/Fixtures` of the sources of this build.
    public static var folder: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")
    }

    /// The rows of a table in order, without empty lines.
    ///
    /// - Parameter path: relative to `Tests/Fixtures`, such as `text/opaque-string.jsonl`.
    /// - Throws: ``Unreadable``, also for an empty table, so that a lost table does not pass unnoticed.
    public static func rows<Row: Decodable>(of type: Row.Type, in path: String) throws -> [Row] {
        let text = try contents(of: path)
        let decoder = JSONDecoder()
        var rows: [Row] = []
        // Splits bytes, because CR LF is a single `Character`.
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

    /// The form that a description of `Tests/Fixtures` describes.
    public static func form(_ path: String) throws -> Form {
        try FormCatalogue.form(of: FormCatalogue.Source(file: path, bytes: [UInt8](try contents(of: path))))
    }

    /// The bytes of a file that is not a table, such as a published vector or a golden frame.
    public static func contents(of path: String) throws -> Data {
        do {
            return try Data(contentsOf: folder.appending(path: path))
        } catch {
            throw Unreadable(path: path, line: nil, reason: "\(error)")
        }
    }
}
