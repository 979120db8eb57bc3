import Foundation
import TestSupport
import Testing

/// Links, anchors and paths in the documents.
@Suite(.programs, .timeLimit(.minutes(60)))
struct DocumentLinksTests {
    private static let root = URL(filePath: SourceTree.path(of: "README.md")).deletingLastPathComponent()

    private static var documents: [URL] {
        let enumerator = FileManager.default.enumerator(
            at: root.appending(path: "docs"), includingPropertiesForKeys: nil)
        let below = (enumerator?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "md" }
        return below + ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map { root.appending(path: $0) }
    }

    /// The text of a document without its code blocks.
    private static func prose(of document: URL) throws -> String {
        try String(contentsOf: document, encoding: .utf8).replacing(/```.*?```/.dotMatchesNewlines(), with: "")
    }

    /// The anchors that GitHub derives from the headings of a document.
    private static func anchors(of document: URL) throws -> Set<String> {
        Set(
            try prose(of: document).split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
                line.trimmingPrefix(/[#]+\s/).lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            })
    }

    @Test func `every link in a document has a target`() throws {
        for document in Self.documents {
            for link in try Self.prose(of: document).matches(of: /(?:\]\(|src=")([^)\s"]+)[)"]/).map(\.output.1)
            where !link.contains(":") {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let target =
                    parts[0].isEmpty
                    ? document
                    : document.deletingLastPathComponent().appending(path: String(parts[0])).standardizedFileURL
                #expect(FileManager.default.fileExists(atPath: target.path), "\(document.path): \(link)")
                guard parts.count == 2, target.pathExtension == "md" else { continue }
                #expect(try Self.anchors(of: target).contains(String(parts[1])), "\(document.path): \(link)")
            }
        }
    }

    @Test(arguments: ["docs/architecture.md", "CONTRIBUTING.md"])
    func `every path in a document exists`(document: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
        let folders = /`((?:Sources|Tests|Examples|Forms|docs|packaging|scripts)\/[^`\s<…*]*)`/
        let paths = text.matches(of: folders).map { String($0.output.1) }
        try #require(!paths.isEmpty)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: path).path), "\(path)")
        }
    }

    /// Files of this package. A name without a folder is enough if only one folder can be meant.
    @Test func `decisions name only files that exist`() throws {
        let files = try #require(FileManager.default.subpaths(atPath: Self.root.path)).filter { !$0.hasPrefix(".") }
        let folders = /(?:Bench|Blocklist|Examples|Forms|Languages|Sources|Tests|docs|packaging|scripts)\/[^`\s<…*]*/
        // Files of other programs and of the running system begin with a slash, or are these.
        let others: Set<Substring> = ["manifest.json", "sysexits.h"]
        var count = 0
        for document in Self.documents where document.path.contains("/docs/decisions/") {
            for name in try Self.prose(of: document).matches(of: /`([^`\s]+)`/).map(\.output.1)
            where !name.hasPrefix("/") && !others.contains(name) {
                // `AccountService+Groups` is a file without its ending.
                let file = name.wholeMatch(of: /[A-Z]\w+\+\w+/) == nil ? String(name) : name + ".swift"
                let isFile =
                    file.wholeMatch(of: /[\w+\/-][\w.+\/-]*\.(?:c|css|h|js|json|jsonl|list|md|py|sh|svg|swift)/) != nil
                guard isFile || file.wholeMatch(of: folders) != nil else { continue }
                count += 1
                let path = file.hasSuffix("/") ? String(file.dropLast()) : file
                #expect(
                    files.contains { $0 == path || $0.hasSuffix("/" + path) },
                    "\(document.lastPathComponent): \(name)")
            }
        }
        #expect(count >= 15)
    }

    @Test(arguments: ["README.md", "docs/cli.md"])
    func `the configurations in a document are valid`(document: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
        let blocks = text.matches(of: /```json\n(\{ "(?:mailer|messages|policy)".*?)```/.dotMatchesNewlines())
        try #require(!blocks.isEmpty)
        let sandbox = try Sandbox()
        for block in blocks {
            try Data(block.output.1.utf8).write(to: sandbox.folder.appending(path: "config.json"))
            let ending = try sandbox.latchkey("config", "show", "--config", "config.json")
            #expect(ending.status == 0, "\(block.output.1)\(ending.stderr)")
        }
    }
}
