import Foundation
import TestSupport
import Testing

/// The files of a tutorial, which starts with an empty folder and ends with a program of `Examples`.
///
/// A block of Swift is a file, named by a comment in its first line, such as `// Sources/Todo/Task.swift`. A later
/// block with the same name replaces an earlier one. The package's manifest is known by its first line and needs no
/// name. A list item that begins with a link to a file of the example adds that file.
struct Tutorial {
    /// One section that adds or replaces files.
    struct Step: Sendable, CustomTestStringConvertible {
        let title: String
        /// The sources by path, of this section and the previous ones.
        let files: [String: String]
        /// The paths of this section.
        let changed: Set<String>
        /// Whether the reader runs a command after the last of these files.
        let isRun: Bool
        /// Whether the reader then sees the screen: a picture, or a block of text.
        let isShown: Bool

        var testDescription: String { title }
    }

    /// A block of Swift without a file name.
    struct Nameless: Error {
        let block: String
    }

    /// The sections that contain code.
    private(set) var steps: [Step] = []
    /// The number of printed lines of Swift.
    private(set) var codeLines = 0
    /// The number of words outside blocks.
    private(set) var words = 0

    private static let folder = "docs/tutorials/"

    /// The names of all tutorials, sorted.
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: SourceTree.path(of: folder))) ?? []
        return files.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
    }()

    init(_ name: String) throws {
        let text = String(decoding: try SourceTree.contents(of: Self.folder + name + ".md"), as: UTF8.self)
        var (title, files, changed, isRun, isShown) = (name, [String: String](), Set<String>(), false, false)
        func add(_ file: (path: String, text: String)) {
            files[file.path] = file.text
            changed.insert(file.path)
            isRun = false
        }
        func endStep() {
            guard !changed.isEmpty else { return }
            steps.append(Step(title: title, files: files, changed: changed, isRun: isRun, isShown: isShown))
        }
        var block: (language: Substring, lines: String)?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            switch block {
            case ("swift", let lines)? where line == "```":
                codeLines += lines.count { $0 == "\n" }
                add(try Self.file(lines))
                block = nil
            case (let language, _)? where line == "```":
                if language == "sh" { isRun = true }
                if language == "text" { isShown = true }
                block = nil
            case (let language, let lines)?: block = (language, lines + line + "\n")
            case nil where line.hasPrefix("```"): block = (line.dropFirst(3), "")
            case nil where line.hasPrefix("## "):
                endStep()
                (title, changed, isRun, isShown) = ("\(name): \(line.dropFirst(3))", [], false, false)
            case nil:
                words += line.split(separator: " ").count
                if line.hasPrefix("![") { isShown = true }
                if let linked = try Self.linkedFile(line, files) { add(linked) }
            }
        }
        endStep()
    }

    /// The file of the example that a list item begins with, with its path in the reader's package.
    private static func linkedFile(_ line: Substring, _ files: [String: String]) throws -> (path: String, text: String)?
    {
        let link = /- \[`[^`]+`\]\(\.\.\/\.\.\/(Examples\/\w+\/(Sources|Tests)\/(\S+\.swift))\)/
        guard let found = line.prefixMatch(of: link) else { return nil }
        guard let module = Self.module(of: files.keys) else { throw Nameless(block: String(line)) }
        let target = found.output.2 == "Sources" ? module : module + "Tests"
        return (
            "\(found.output.2)/\(target)/\(found.output.3)",
            String(decoding: try SourceTree.contents(of: String(found.output.1)), as: UTF8.self)
        )
    }

    fileprivate static func module(of paths: some Collection<String>) -> String? {
        paths.compactMap { $0.prefixMatch(of: /Sources\/([^\/]+)\//).map { String($0.output.1) } }.min()
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
    var module: String? { Tutorial.module(of: files.keys) }
}
