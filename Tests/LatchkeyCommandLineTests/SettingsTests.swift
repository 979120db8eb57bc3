import Foundation
import LatchkeyForms
import LatchkeyHashing
import TestSupport
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

    @Test func `the language is that of the flag, the environment, the file, and then of the locale`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "latchkey/config.json")
            func title(_ variables: [String: String], flag: String? = nil) throws -> String {
                let flags = flag.map { [Invocation.Flag(name: "lang", value: Argument($0))] } ?? []
                let all = variables.merging(["XDG_CONFIG_HOME": folder.path]) { own, _ in own }
                return try Settings(flags: flags, environment: environment(all)).messages.sentence("link.setup")
            }
            let (english, portuguese) = ("Sign up", "Criar conta")
            #expect(try title([:]) == english)
            #expect(try title(["LANG": "pt_PT.UTF-8"]) == portuguese)
            #expect(try title(["LANG": "pt_PT.UTF-8", "LC_ALL": "C"]) == english)
            try #"{"lang": "pt"}"#.write(to: file, atomically: true, encoding: .utf8)
            #expect(try title(["LC_ALL": "C"]) == portuguese)
            #expect(try title(["LATCHKEY_LANG": "en"]) == english)
            #expect(try title(["LATCHKEY_LANG": "en"], flag: "pt") == portuguese)
        }
    }

    @Test(arguments: ["de", "pt_PT", "PT", "português"])
    func `a language without a table is refused`(name: String) throws {
        let flag = Invocation.Flag(name: "lang", value: Argument(name))
        for refusal in [
            #expect(throws: ToolFailure.self) { try SettingValues(flags: [flag]) },
            #expect(throws: ToolFailure.self) { try SettingValues(environment: environment(["LATCHKEY_LANG": name])) },
        ] {
            #expect(refusal?.status == .usage && refusal?.code == "bad_language")
            #expect(refusal?.sentence(.english).contains("en, pt") == true)
        }
        #expect(throws: FormDescriptionError.self) {
            try SettingValues(json: Array(#"{"lang": "\#(name)"}"#.utf8), file: "config.json")
        }
    }

    @Test(arguments: [
        ([], Language.english), (["--lang", "pt"], .portuguese), (["--lang=pt"], .portuguese),
        (["--lang", "xx"], .english), (["--lang"], .english), (["login", "--lnag", "pt"], .english),
    ])
    func `a failure before the settings are known is told in the language that can be guessed`(
        arguments: [String], language: Language
    ) {
        let arguments = arguments.map { Argument($0) }
        #expect(Language(before: arguments, in: environment([:])) == language)
        #expect(Language(before: [Argument](), in: environment(["LATCHKEY_LANG": "pt"])) == .portuguese)
        #expect(Language(before: arguments, in: environment(["LC_ALL": "pt_BR.UTF-8"])) != .english)
    }

    @Test func `an operator's sentence takes the place of the program's, in each language`() throws {
        func values(_ text: String) throws -> SettingValues {
            try SettingValues(json: Array(text.utf8), file: "config.json")
        }
        let own = try values(
            #"{"messages": {"mail.recovery.subject": "{service}: here you are", "form.setup.title": "Join us"}}"#)
        #expect(own.sentences["mail.recovery.subject"] == "{service}: here you are")
        #expect(own.sentences["form.setup.title"] == "Join us", "though no English table has it")
        let other = try values(#"{"messages": {"mail.recovery.subject": "no", "response.taken": "Gone"}}"#)
        let merged = own.over(other).sentences
        #expect(merged["mail.recovery.subject"] == "{service}: here you are" && merged["response.taken"] == "Gone")
        #expect(try FormCatalogue(messages: .english.adding(merged)).form(for: .setup).title == "Join us")
    }

    @Test(arguments: [
        (#"{"no.such": "x"}"#, "tool.setting_sentence_unknown"), (#"{"response.taken": 1}"#, "description.wrong_type"),
        (#"{"response.taken": ""}"#, "description.empty"), (#""x""#, "description.wrong_type"),
        (#"{"response.taken": "{who} has it"}"#, "tool.setting_sentence_braces"),
        (#"{"mail.recovery.text": "{service"}"#, "tool.setting_sentence_braces"),
        (#"{"mail.recovery.text": "}"}"#, "tool.setting_sentence_braces"),
        (#"{"mail.recovery.text": "a\nb"}"#, "tool.setting_sentence"),
        (#"{"response.taken": "\#(String(repeating: "é", count: 201))"}"#, "tool.setting_sentence"),
        (#"{"response.taken": "a", "response.taken": "b"}"#, "description.duplicate_key"),
    ])
    func `a sentence that is none of the program's is refused`(messages: String, code: String) {
        let refusal = #expect(throws: FormDescriptionError.self) {
            try SettingValues(json: Array(#"{"messages": \#(messages)}"#.utf8), file: "config.json")
        }
        #expect(refusal?.problem.code == code)
        #expect(MessageTable.english.sentence(code, refusal?.problem.values ?? [:]) != code)
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

    /// docs/cli.md has them all, with their flags and variables.
    @Test func `the settings of the document are those of the program`() throws {
        let document = String(decoding: try SourceTree.contents(of: "docs/cli.md"), as: UTF8.self)
        let section = try #require(document.components(separatedBy: "\n## ").first { $0.hasPrefix("Settings\n") })
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().prefix(3).map { cell in
                cell.matches(of: /`(?:--)?([\w.-]+)[^`]*`/).map { String($0.output.1) }
            }
        }
        for spec in SettingSpec.all {
            let row = rows.first { $0[2] == [spec.key] || ($0[2].isEmpty && $0[0] == [spec.key]) }
            #expect(row?[0] == (spec.flag.map { [$0] } ?? []), "\(spec.key)")
            #expect(row?[1] == spec.variables, "\(spec.key)")
        }
        // Sentences are not one setting.
        #expect(rows.count == SettingSpec.all.count + 1)
    }
}
