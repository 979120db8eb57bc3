import LatchkeyAccounts
import LatchkeyForms
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60))) struct ProgramTests {
    private let program = Program(
        summary: "Keep notes", version: "1.0",
        flags: [Program.Flag("log", "FILE", "Write a log"), .init("as", "NAME", ""), .init("bell", nil, "Ring")])

    @Test(arguments: [
        ([], Program.Reading.values([:])), (["--log", "a"], .values(["log": "a"])),
        (["--log=a=b", "--as", "--log"], .values(["log": "a=b", "as": "--log"])), (["--as", "x", "--help"], .help),
        (["--bell", "--as", "x"], .values(["bell": "", "as": "x"])), (["--bell=on"], .refused("--bell has no value")),
        (["-h"], .help), (["--version"], .version), (["--log"], .refused("--log needs FILE")),
        (["--log", "a", "--log=b"], .refused("--log was given twice")),
        (["--sing"], .refused("Unknown argument --sing")),
        (["log"], .refused("Unknown argument log")), (["-l"], .refused("Unknown argument -l")),
        (["--"], .refused("Unknown argument --")), ([""], .refused("Unknown argument ")),
    ])
    func `a program's flags are parsed, and unknown arguments are refused`(words: [String], reading: Program.Reading) {
        #expect(program.reading(words) == reading)
    }

    @Test(arguments: [
        ("pt", [Language.english, .portuguese], Language.portuguese, "Adeus"),
        ("en", [.english, .portuguese], .english, "Bye"),
        ("pt", [.english], .english, "Bye"), ("en", [.portuguese], .portuguese, "Adeus"),
    ])
    func `a program is shown only in languages that it has sentences for`(
        asked: String, has: [Language], shows: Language, goodbye: String
    ) throws {
        let variables = ["LATCHKEY_LANG": asked, "HOME": "/nonexistent"]
        let environment = ProcessEnvironment { variables[$0].map { Array($0.utf8) } }
        let sentences: [Language: [String: String]] = [
            .english: ["goodbye": "Bye"], .portuguese: ["goodbye": "Adeus"],
        ]
        let settings = try Settings(
            flags: [], environment: environment, programSentences: sentences.filter { has.contains($0.key) })
        #expect(settings.language == shows && settings.messages.language == shows)
        #expect(settings.messages.sentence("goodbye") == goodbye)
    }

    @Test func `a program says that it waits for another one, unless it waits only for a moment`() async throws {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        func read() async throws(StoreError) -> String {
            for await line in lines { return line }
            return ""
        }
        let slow = try await program.waiting(
            for: "/data/x.sqlite", pausing: {}, reporting: { continuation.yield($0) }, read)
        #expect(slow.hasSuffix(": Waiting for another program, which is using /data/x.sqlite"))
        func open() async throws(StoreError) -> Int { 1 }
        let quick = try await program.waiting(
            for: "/data/x.sqlite", pausing: { try await Task.sleep(for: .seconds(86_400)) },
            reporting: { _ in Issue.record("the work was quick") }, open)
        #expect(quick == 1)
    }
}
