import Foundation
import LatchkeyForms
import LatchkeyHashing
import Testing

@testable import LatchkeyCommandLine

@Suite struct SettingsTests {
    private func environment(_ variables: [String: String]) -> ProcessEnvironment {
        ProcessEnvironment { variables[$0].map { Array($0.utf8) } }
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "latchkey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "latchkey"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func `a flag beats the environment, which beats the file`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "latchkey/config.json")
            try #"{"store": "/file", "forms": "/file", "no_input": true, "hash": {"iterations": 7}}"#
                .write(to: file, atomically: true, encoding: .utf8)
            let variables = [
                "XDG_CONFIG_HOME": folder.path, "LATCHKEY_STORE": "/environment", "LATCHKEY_FORMS": "/environment",
            ]
            let settings = try Settings(
                flags: [Invocation.Flag(name: "store", value: Argument("/flag"))], environment: environment(variables))
            #expect(settings.values.store == "/flag")
            #expect(settings.values.forms == "/environment")
            #expect(settings.values.hashIterations == 7)
            #expect(settings.noInput)
            #expect(!settings.noColor)
        }
    }

    @Test(arguments: [
        #"{"colour": 1}"#, #"{"store": 1}"#, #"{"hash": {"memory": "1"}}"#, #"{"hash": {"rounds": 1}}"#, "[]", "{",
        #"{"hash": {"memory": -1}}"#, #"{"store": "/a", "store": "/b"}"#,
        #"{"store": "/a\u0000b"}"#, #"{"forms": "/a\u0000b"}"#, #"{"store": ""}"#,
        "{\"store\": \"/a\"}" + String(repeating: " ", count: 65_536),
    ])
    func `a configuration that is not understood is refused`(text: String) {
        #expect(throws: FormDescriptionError.self) { try SettingValues(json: Array(text.utf8), file: "config.json") }
    }

    @Test func `a named configuration must be there`() throws {
        #expect(throws: ToolFailure.self) {
            try Settings(
                flags: [Invocation.Flag(name: "config", value: Argument("/nonexistent/config.json"))],
                environment: environment([:]))
        }
    }

    /// S-126.
    @Test(arguments: ["-1", "+1", "01", "1.5", "x", "99999999999999999999"])
    func `a number is digits alone`(text: String) {
        #expect(throws: ToolFailure.self) {
            try SettingValues(flags: [Invocation.Flag(name: "hash-memory", value: Argument(text))])
        }
    }

    @Test func `the folders are those of the XDG specification`() throws {
        let home = environment(["HOME": "/home/ada"])
        #expect(try UserFolder.data.path(in: home) == "/home/ada/.local/share/latchkey")
        #expect(try UserFolder.state.path(in: home) == "/home/ada/.local/state/latchkey")
        #expect(try UserFolder.configuration.path(in: home) == "/home/ada/.config/latchkey")
        let given = environment(["HOME": "/home/ada", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "relative"])
        #expect(try UserFolder.data.path(in: given) == "/data/latchkey")
        #expect(try UserFolder.state.path(in: given) == "/home/ada/.local/state/latchkey")
        #expect(throws: ToolFailure.self) { try UserFolder.data.path(in: environment([:])) }
    }

    @Test func `the parameters of a hash are refused below the floor`() throws {
        #expect(try HashSettings.cost(SettingValues()) == .standard)
        var weak = SettingValues()
        weak.hashMemory = 1024
        #expect(throws: ToolFailure.self) { try HashSettings.cost(weak) }
        weak.hashMemory = Int(UInt32.max) + 1
        #expect(throws: ToolFailure.self) { try HashSettings.cost(weak) }
    }

    @Test func `the parameters of a hash are refused above what may be verified`() throws {
        func failure(_ change: (inout SettingValues) -> Void) -> String? {
            var values = SettingValues()
            change(&values)
            do {
                _ = try HashSettings.hasher(values)
                return nil
            } catch {
                return error.status == .configuration ? error.code : "not a configuration"
            }
        }
        #expect(failure { _ in } == nil)
        #expect(failure { $0.hashMemory = 262_145 } == "hash_cost_high")
        #expect(failure { $0.hashIterations = 17 } == "hash_cost_high")
        #expect(failure { $0.hashParallelism = 17 } == "hash_cost_high")
        #expect(failure { $0.hashParallelism = 0 } == "hash_cost")
    }
}
