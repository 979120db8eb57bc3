import Foundation
import TestSupport
import Testing

/// Invalid and oversized form descriptions are refused immediately with their position.
@Suite(.programs, .timeLimit(.minutes(60)))
struct HostileFormsTests {
    private let sandbox: Sandbox
    private let forms: TemporaryFolder

    init() throws {
        sandbox = try Sandbox()
        forms = try TemporaryFolder()
    }

    private static let start = #"{"form":"trial","title":"T","submit":"S","#

    private static func description(rules: String) -> String {
        start + #""fields":[{"apiKey":"a","placeholder":"A","rules":["# + rules + "]}]}"
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        [String](repeating: text, count: count).joined(separator: ",")
    }

    /// A refused description, with the position and the reason.
    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let told: String

        init(_ name: String, _ text: String, _ told: String) {
            testDescription = name
            bytes = Array(text.utf8)
            self.told = told
        }

        init(_ name: String, bytes: [UInt8], _ told: String) {
            testDescription = name
            self.bytes = bytes
            self.told = told
        }
    }

    static let descriptions = [
        Hostile(
            "10 MB", description(rules: "") + String(repeating: " ", count: 10_000_000), "1:1: larger than 65536 bytes"),
        Hostile("nested 10 000 deep", start + "\n\"fields\":" + String(repeating: "[", count: 10_000), "2:41: nested"),
        Hostile(
            "objects nested 10 000 deep", String(repeating: "{\"a\":", count: 10_000),
            "1:161: nested deeper than 32 levels"
        ),
        Hostile(
            "100 000 fields", start + "\"fields\":[" + repeated(#"{"apiKey":"a","placeholder":"A"}"#, 100_000) + "]}",
            "1:1: larger than"),
        Hostile(
            "1800 fields", start + "\n\"fields\":[" + repeated(#"{"apiKey":"a","placeholder":"A"}"#, 1800) + "]}",
            "2:10: \"fields\" has more than 64 elements"),
        Hostile(
            "1000 rules", description(rules: repeated(#"{"rule":"required"}"#, 1000)),
            "1:92: \"rules\" has more than 32 elements"),
        Hostile(
            "a pattern of 1 MB",
            description(rules: #"{"rule":"regex","pattern":""# + String(repeating: "a", count: 1 << 20) + "\"}"),
            "1:1: larger than"),
        Hostile(
            "a pattern of 60 KB",
            description(rules: #"{"rule":"regex","pattern":""# + String(repeating: "(", count: 60_000) + "\"}"),
            "1:119: \"pattern\" must be at most 256 bytes long"),
        Hostile(
            "a pattern that compiles to much", description(rules: #"{"rule":"regex","pattern":"\\p{L}{1000}"}"#),
            "1:119: the pattern in \"pattern\" needs more than 1048576 bytes"),
        Hostile(
            "a nest in a rule's arguments",
            description(rules: #"{"rule":"email","x":"# + String(repeating: "[", count: 99)),
            "1:140: nested"),
        Hostile(
            "7000 keys, one of them twice",
            "{" + (0..<7000).map { "\"\($0)\":1" }.joined(separator: ",") + ",\n\"1\":2}",
            "2:1: duplicate key \"1\""),
        Hostile("nothing", "", "1:1: ends in the middle of a value"),
        Hostile("a byte order mark", "\u{FEFF}{}", "1:1: starts with a byte order mark"),
        Hostile("UTF-16", bytes: [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], "1:1: not valid UTF-8"),
        Hostile("a comment", "{\n  // the form\n}", "2:3: JSON does not allow comments"),
        Hostile("a trailing comma", "{\"form\": \"trial\",\n}", "2:1: unexpected }"),
        Hostile("NUL alone", bytes: [UInt8](repeating: 0, count: 60_000), "1:1: unexpected"),
    ]

    /// The folder is named as an operand and with the flag.
    private func endings() throws -> [Sandbox.Ending] {
        try ["forms check \(forms.path)", "forms list --forms \(forms.path)", "setup --no-input --forms \(forms.path)"]
            .map {
                try sandbox.shell("exec timeout 600 \"\(Sandbox.binary.path)\" \($0)")
            }
    }

    @Test(arguments: descriptions)
    func `a hostile description is refused with file, line and column`(hostile: Hostile) throws {
        let file = try forms.write(hostile.bytes, to: "trial.json")
        for ending in try endings() {
            #expect(ending.status == 78 && ending.stdout.isEmpty)
            #expect(ending.stderr.contains("\(file):\(hostile.told)"), "\(ending.stderr)")
        }
        let trial = try sandbox.latchkey("forms", "try", file)
        #expect(trial.status == 78 && trial.stderr.contains("\(file):\(hostile.told)"))
    }

    @Test func `every invalid description is reported, and valid ones still work`() throws {
        for index in 0..<200 {
            let fields = index.isMultiple(of: 2) ? #""fields":[{"apiKey":"a","placeholder":"A"}]"# : #""field":1"#
            try forms.write(#"{"form":"f\#(index)","title":"T","submit":"S",\#(fields)}"#.utf8, to: "\(index).json")
        }
        let check = try sandbox.latchkey("forms", "check", forms.path)
        #expect(check.status == 78)
        #expect(check.stderr.hasPrefix("latchkey: Forms that cannot be used: 100\n"))
        for index in stride(from: 1, to: 200, by: 2) { #expect(check.stderr.contains("/\(index).json:1:")) }
        for index in stride(from: 1, to: 200, by: 2) { try forms.write([], to: "\(index).json.txt") }
        for index in stride(from: 1, to: 200, by: 2) {
            try FileManager.default.removeItem(atPath: forms.path(of: "\(index).json"))
        }
        let sound = try sandbox.latchkey("forms", "check", forms.path)
        #expect(sound.status == 0 && sound.stdout.split(separator: "\n").count == 100)
    }

    @Test func `a file in place of a folder is named as one`() throws {
        let file = try forms.write("{}".utf8, to: "login.json")
        for arguments in [
            ["forms", "check", file], ["setup", "--no-input", "--forms", file], ["forms", "list", "--languages", file],
        ] {
            let ending = try sandbox.latchkey(arguments)
            #expect(ending.status == 66 && ending.stderr.contains("\(file) is a file: give the folder that it is in"))
        }
    }

    @Test func `a folder with ten thousand descriptions is refused with one message`() throws {
        for index in 0..<10_000 { try forms.write([], to: "\(index).json") }
        for ending in try endings() {
            #expect(ending.status == 78 && ending.stderr.contains("\(forms.path) has more than 256 JSON files"))
        }
        for index in 256..<10_000 {
            try FileManager.default.removeItem(atPath: forms.path(of: "\(index).json"))
        }
        let check = try sandbox.latchkey("forms", "check", forms.path)
        #expect(check.status == 78 && check.stderr.hasPrefix("latchkey: Forms that cannot be used: 256\n"))
    }

    @Test func `two descriptions of one form are refused`() throws {
        let form = Self.description(rules: "")
        try forms.write(form.utf8, to: "a.json")
        let second = try forms.write(form.utf8, to: "b.json")
        try forms.write("{}".utf8, to: "c.json")
        for ending in try endings() {
            #expect(ending.status == 78)
            #expect(
                ending.stderr.contains("\(second):1:9: the form \"trial\" is already described in \(forms.path)/a.json")
            )
        }
        #expect(try sandbox.latchkey("forms", "check", forms.path).stderr.contains("c.json:1:1:"))
    }

    /// Anything but a regular file with the name of a description.
    enum NoFile: String, CaseIterable {
        case loop, dangling, pipe, device, endlessDevice, folder, folderLoop
    }

    @Test(arguments: NoFile.allCases)
    func `a path that is not a regular file is refused without waiting`(kind: NoFile) throws {
        switch kind {
        case .loop: try forms.link("x.json", to: "x.json")
        case .dangling: try forms.link("x.json", to: "nowhere")
        case .pipe: try forms.makePipe("x.json")
        case .device: try forms.link("x.json", to: "/dev/tty")
        case .endlessDevice: try forms.link("x.json", to: "/dev/zero")
        case .folder: try forms.makeFolder("x.json")
        case .folderLoop: try forms.link("x.json", to: ".")
        }
        for ending in try endings() {
            #expect(ending.status == 66 && ending.stderr.contains("\(forms.path)/x.json"), "\(ending.stderr)")
        }
    }

    @Test func `a symbolic link to a description is accepted`() throws {
        let other = try TemporaryFolder()
        let target = try other.write(Self.description(rules: "").utf8, to: "real")
        try forms.link("x.json", to: target)
        #expect(try sandbox.latchkey("forms", "check", forms.path).status == 0)
    }

    @Test func `files that others can change, or that are not readable, are refused`() throws {
        try forms.write(Self.description(rules: "").utf8, to: "x.json", mode: 0o666)
        for ending in try endings() { #expect(ending.status == 77 && ending.stderr.contains("chmod go-w")) }
        try forms.setMode(0, of: "x.json")
        // Root can read everything, so this runs as another user.
        let isRoot = geteuid() == 0
        if isRoot {
            try forms.setOwner(4712, of: "x.json")
            #expect(unsafe chmod(forms.path, 0o755) == 0)
        }
        let binary = Sandbox.binary.path
        let user = isRoot ? "setpriv --reuid=4713 --regid=4713 --clear-groups " : ""
        let ending = try sandbox.shell("exec env HOME=/nowhere \(user)\(binary) forms check \(forms.path)")
        #expect(
            ending.status == 66 && ending.stderr.contains("You do not have permission to read"), "\(ending.stderr)")
    }

    @Test func `a path that is not a folder is refused`() throws {
        try forms.link("loop", to: "loop")
        try forms.write([], to: "file")
        for name in ["nowhere", "loop", "file"] {
            let path = forms.path(of: name)
            for arguments in [["forms", "check", path], ["forms", "list", "--forms", path]] {
                let ending = try sandbox.latchkey(arguments)
                #expect(ending.status == 66 && ending.stderr.contains(path), "\(ending.stderr)")
            }
        }
    }
}
