import Foundation
import TestSupport
import Testing

/// The public declarations of the libraries, read from the modules that were built for these tests.
@Suite(.programs, .timeLimit(.minutes(60))) struct PublicInterfaceTests {
    /// The libraries that the package offers.
    static let libraries: [String] = {
        let manifest = (try? SourceTree.contents(of: "Package.swift")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) }
    }()

    /// The record in `docs/api` shows each change of a public declaration in the diff. `RECORD=1` rewrites it.
    @Test(arguments: libraries)
    func `the public declarations are recorded, documented and listed on the first page`(library: String) throws {
        let symbols = try SymbolGraph(of: library).symbols
        try expectDocumentation(of: symbols)
        try expectTypes(of: symbols, onPageOf: library)
        let lines = Set(symbols.map(\.line)).sorted()
        #expect(lines.count > 2)
        let url = URL(filePath: SourceTree.path(of: "docs/api/\(library).txt"))
        let text = lines.map { $0 + "\n" }.joined()
        guard ProcessInfo.processInfo.environment["RECORD"] == nil else {
            try Data(text.utf8).write(to: url)
            Issue.record("recorded \(library)")
            return
        }
        let recorded = try String(contentsOf: url, encoding: .utf8)
        let (old, new) = (Set(recorded.split(separator: "\n").map(String.init)), Set(lines))
        #expect(old.subtracting(new).isEmpty, "removed or changed")
        #expect(new.subtracting(old).isEmpty, "added or changed")
    }

    /// Expects comments on 95 % of the declarations.
    private func expectDocumentation(of symbols: [SymbolGraph.Symbol]) throws {
        let symbols = symbols.filter { !$0.isSynthesized }
        let missing = symbols.filter { $0.docComment == nil }.map(\.name)
        #expect(missing.count * 20 <= symbols.count, "\(missing)")
    }

    /// Expects each type once in the topics of the first page.
    private func expectTypes(of symbols: [SymbolGraph.Symbol], onPageOf library: String) throws {
        let page = try Self.page(of: library)
        let topics = try #require(page.split(separator: "## Topics").last)
        let types = Set(symbols.filter { $0.pathComponents.count == 1 }.map(\.name))
        let listed = topics.matches(of: /- ``(\S+)``/).map { String($0.output.1) }
        #expect(Set(listed) == types && listed.count == types.count)
    }

    @Test(arguments: libraries)
    func `the code on the first page of a library compiles`(library: String) throws {
        for (_, code) in try Self.page(of: library).matches(of: /```swift\n(.*?)```/.dotMatchesNewlines()).map(\.output)
        {
            let folder = try TemporaryFolder()
            let file = try folder.write(String(code).utf8, to: "main.swift")
            let ending = try BuiltModules.swiftc(
                ["-typecheck", "-swift-version", "6", "-warnings-as-errors", file] + BuiltModules.options, in: folder)
            #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
        }
    }

    private static func page(of library: String) throws -> String {
        let path = try #require(
            SourceTree.files(below: "Sources").first { $0.hasSuffix("/\(library).docc/\(library).md") })
        return String(decoding: try SourceTree.contents(of: path), as: UTF8.self)
    }
}

/// The public symbols of a built module.
private struct SymbolGraph: Decodable {
    let symbols: [Symbol]

    struct Symbol: Decodable {
        let pathComponents: [String]
        let declarationFragments: [Fragment]
        let docComment: Comment?

        struct Fragment: Decodable { let spelling: String }
        struct Comment: Decodable {}

        var name: String { pathComponents.joined(separator: ".") }
        /// The symbol and its declaration on one line.
        var line: String {
            let text = declarationFragments.map(\.spelling).joined()
            return name + ": " + text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        /// Whether the compiler made it, so that it can have no comment.
        var isSynthesized: Bool { ["init(rawValue:)", "==(_:_:)"].contains(pathComponents.last) }
    }

    init(of library: String) throws {
        let folder = try TemporaryFolder()
        let ending = try BuiltModules.run(
            "swift-symbolgraph-extract",
            [
                "-module-name", library, "-minimum-access-level", "public", "-skip-synthesized-members",
                "-target", BuiltModules.target, "-output-dir", folder.path,
            ] + BuiltModules.options, in: folder)
        try #require(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
        let bytes = try Data(contentsOf: URL(filePath: folder.path(of: library + ".symbols.json")))
        self = try JSONDecoder().decode(SymbolGraph.self, from: bytes)
    }
}
