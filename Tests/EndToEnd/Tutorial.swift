import Foundation
import TestSupport
import Testing

/// The files of a tutorial, which starts with an empty folder and ends with a program of `Examples`.
///
/// A block of Swift is a file, named by a comment in its first line, such as `// Sources/Todo/Task.swift`. A later block
/// with the same name replaces an earlier one. The package's manifest is known by its first line and needs no name.
struct Tutorial {
    /// The files after one section.
    struct Step: Sendable, CustomTestStringConvertible {
        let title: String
        /// The texts by path.
        let files: [String: String]

        var testDescription: String { title }
    }

    /// A block of Swift without a file name.
    struct Nameless: Error {
        let block: String
    }

    /// The sections that contain code.
    private(set) var steps: [Step] = []

    private static let folder = "docs/tutorials/"

    /// The names of all tutorials, sorted.
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: SourceTree.path(of: folder))) ?? []
        return files.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
    }()

    init(_ name: String) throws {
        let text = String(decoding: try SourceTree.contents(of: Self.folder + name + ".md"), as: UTF8.self)
        var (title, files, hasChanged) = (name, [String: String](), false)
        var block: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            switch block {
            case let lines? where line == "```":
                let (path, text) = try Self.file(lines)
                files[path] = text
                (block, hasChanged) = (nil, true)
            case let lines?: block = lines + line + "\n"
            case nil where line == "```swift": block = ""
            case nil where line.hasPrefix("## "):
                if hasChanged { steps.append(Step(title: title, files: files)) }
                (title, hasChanged) = ("\(name): \(line.dropFirst(3))", false)
            case nil: break
            }
        }
        if hasChanged { steps.append(Step(title: title, files: files)) }
    }

    private static func file(_ block: String) throws -> (path: String, text: String) {
        if block.hasPrefix("// swift-tools-version:") { return ("Package.swift", block) }
        guard let name = block.prefixMatch(of: /\/\/ ((?:Sources|Tests)\/\S+\.swift)\n\n?/) else {
            throw Nameless(block: block)
        }
        return (String(name.output.1), String(block[name.range.upperBound...]))
    }

    /// The files of an example, with the paths that its tutorial uses.
    static func example(_ name: String, module: String) throws -> [String: String] {
        let examples = SourceTree.path(of: "Examples")
        let folders = try FileManager.default.contentsOfDirectory(atPath: examples)
        let folder = try #require(folders.first { $0.lowercased() == name }, "Examples has no \(name)")
        var files: [String: String] = [:]
        for part in ["Sources", "Tests"] {
            let root = "\(examples)/\(folder)/\(part)"
            for path in try FileManager.default.subpathsOfDirectory(atPath: root) where path.hasSuffix(".swift") {
                let module = part == "Sources" ? module : module + "Tests"
                files["\(part)/\(module)/\(path)"] = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
            }
        }
        return files
    }
}

extension Tutorial.Step {
    /// The module of the files.
    var module: String? {
        files.keys.compactMap { $0.prefixMatch(of: /Sources\/([^\/]+)\//).map { String($0.output.1) } }.min()
    }
}
