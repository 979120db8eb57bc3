import Testing

@testable import LatchkeyCommandLine

@Suite struct ProgramTests {
    private let program = Program(
        summary: "Keep notes", version: "1.0",
        flags: [Program.Flag("log", "FILE", "Write a log"), .init("as", "NAME", "")])

    @Test(arguments: [
        ([], Program.Reading.values([:])), (["--log", "a"], .values(["log": "a"])),
        (["--log=a=b", "--as", "--log"], .values(["log": "a=b", "as": "--log"])), (["--as", "x", "--help"], .help),
        (["-h"], .help), (["--version"], .version), (["--log"], .refused("--log needs FILE")),
        (["--log", "a", "--log=b"], .refused("--log was given twice")),
        (["--sing"], .refused("Unknown argument --sing")),
        (["log"], .refused("Unknown argument log")), (["-l"], .refused("Unknown argument -l")),
        (["--"], .refused("Unknown argument --")), ([""], .refused("Unknown argument ")),
    ])
    func `flags have values, and everything else is refused`(words: [String], reading: Program.Reading) {
        #expect(program.reading(words) == reading)
    }
}
