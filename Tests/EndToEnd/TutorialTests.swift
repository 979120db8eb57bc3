import Foundation
import TestSupport
import Testing

/// The code of the tutorials compiles after each step, with the modules that were built for these tests,
/// and equals the example at the end.
@Suite(.programs, .timeLimit(.minutes(60))) struct TutorialTests {
    static let steps: [Tutorial.Step] = (try? Tutorial.names.flatMap { try Tutorial($0).steps }) ?? []

    @Test(arguments: steps)
    func `each step of a tutorial compiles`(step: Tutorial.Step) throws {
        let folder = try TemporaryFolder()
        var (sources, tests) = ([String](), [String]())
        for (path, text) in step.files {
            let file = URL(filePath: folder.path(of: path))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            if path.hasPrefix("Sources/") { sources.append(file.path) }
            if path.hasPrefix("Tests/") { tests.append(file.path) }
        }
        let manifest = try #require(step.files["Package.swift"], "a tutorial begins with its package")
        let module = try #require(step.module)
        let features = manifest.matches(of: /enableUpcomingFeature\("(\w+)"\)/).map { String($0.output.1) }
        var options = ["-module-name", module, "-swift-version", "6", "-warnings-as-errors", "-parse-as-library"]
        options += features.flatMap { ["-enable-upcoming-feature", $0] }
        if manifest.contains(".strictMemorySafety()") { options.append("-strict-memory-safety") }
        let emit = ["-emit-module", "-enable-testing", "-emit-module-path", folder.path(of: module + ".swiftmodule")]
        let ending = try BuiltModules.swiftc(
            emit + ["-wmo"] + options + BuiltModules.options + sources.sorted(), in: folder)
        #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
        guard !tests.isEmpty else { return }
        let testOptions = ["-module-name", module + "Tests", "-swift-version", "6", "-I", folder.path]
        let checked = try check(tests.sorted(), testOptions + BuiltModules.options, in: folder)
        #expect(checked.status == 0, "\(checked.stdout)\(checked.stderr)")
    }

    @Test(arguments: steps)
    func `each step of a tutorial has few files, runs a command and shows the screen`(step: Tutorial.Step) {
        #expect(step.changed.count <= 5, "\(step.changed.sorted())")
        #expect(step.isRun, "nothing runs after the last file")
        #expect(step.isShown, "no picture and no text of the screen")
    }

    @Test(arguments: Tutorial.names)
    func `a tutorial explains more than it prints, and includes a test`(name: String) throws {
        let tutorial = try Tutorial(name)
        #expect(tutorial.codeLines <= tutorial.words)
        let printed = String(decoding: try SourceTree.contents(of: "docs/tutorials/\(name).md"), as: UTF8.self)
        #expect(printed.contains("\n// Tests/") && printed.contains("\nswift test"))
        #expect(printed.contains("`swift run \(name)`"))
    }

    @Test(arguments: Tutorial.names)
    func `a tutorial ends with the code of its example`(name: String) throws {
        let tutorial = try Tutorial(name)
        let last = try #require(tutorial.steps.last)
        let example = try Tutorial.example(name, module: try #require(last.module))
        var written = last.files
        written["Package.swift"] = nil
        #expect(Set(written.keys).isSubset(of: example.keys))
        for (path, text) in example where path.hasPrefix("Sources/") || written[path] != nil {
            #expect(written[path] == text, "\(path)")
        }
    }

    @Test(arguments: Tutorial.names)
    func `the manifest of a tutorial is valid for SwiftPM`(name: String) throws {
        let folder = try TemporaryFolder()
        let manifest = try #require(try Tutorial(name).steps.first?.files["Package.swift"])
        let path = try folder.write(manifest.utf8, to: "Package.swift")
        let info = try BuiltModules.swiftc(["-print-target-info"], in: folder).json()
        let resources = try #require((info["paths"] as? [String: Any])?["runtimeResourcePath"] as? String)
        let ending = try check(
            [path], ["-package-description-version", "6.2", "-I", resources + "/pm/ManifestAPI"], in: folder)
        #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
    }

    /// The targets of the example compile this code.
    @Test func `the page about programs prints every file of its example`() throws {
        let text = String(decoding: try SourceTree.contents(of: "docs/programs.md"), as: UTF8.self)
        var printed: [String: String] = [:]
        for block in text.matches(of: /```swift\n(.*?)```/.dotMatchesNewlines()).map({ String($0.output.1) }) {
            let name = block.prefixMatch(of: /\/\/ ((?:Sources|Tests)\/\S+\.swift)\n\n/)
            let path = name.map { String($0.output.1) } ?? "Package.swift"
            printed[path] = name.map { String(block[$0.range.upperBound...]) } ?? block
        }
        let folder = SourceTree.path(of: "Examples/GuestBook")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".swift") && !$0.hasPrefix(".")
        }
        #expect(files.sorted() == printed.keys.sorted())
        for path in files {
            let file = String(decoding: try SourceTree.contents(of: "Examples/GuestBook/" + path), as: UTF8.self)
            #expect(printed[path] == file, "\(path)")
        }
        let sources = printed.filter { $0.key.hasPrefix("Sources/") }.values
        #expect(sources.reduce(0) { $0 + $1.count { $0 == "\n" } } < 120)
    }

    @Test func `each example has a tutorial, and each tutorial is tested`() throws {
        // IntegrationTests, FormTrialTests, ServiceTests, WebExampleTests and scripts/try-image run the others, and
        // docs/programs.md prints GuestBook.
        let examples = try FileManager.default.contentsOfDirectory(atPath: SourceTree.path(of: "Examples"))
            .filter { !["Compose", "GuestBook", "Integrations", "Sample", "Web", "fail2ban"].contains($0) }
        #expect(examples.map { $0.lowercased() }.sorted() == Tutorial.names)
        for name in Tutorial.names { #expect(try Tutorial(name).steps.count > 1) }
    }

    // MARK: The compiler

    private func check(_ sources: [String], _ options: [String], in folder: TemporaryFolder) throws -> Sandbox.Ending {
        try BuiltModules.swiftc(["-typecheck", "-wmo"] + options + sources, in: folder)
    }
}
