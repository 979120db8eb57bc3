import Foundation
import LatchkeyForms
import LatchkeyHashing
import TestSupport
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60))) struct SettingsTests {
    private func environment(_ variables: [String: String]) -> ProcessEnvironment {
        ProcessEnvironment { variables[$0].map { Array($0.utf8) } }
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = TemporaryFolder.parent.appending(path: "latchkey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "latchkey"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func `a flag overrides the environment, which overrides the file`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "latchkey/config.json")
            try #"{"store": "/file", "forms": "/file", "no_input": true, "hash": {"iterations": 7}}"#
                .write(to: file, atomically: true, encoding: .utf8)
            let variables = [
                "XDG_CONFIG_HOME": folder.path, "LATCHKEY_STORE": "/environment", "LATCHKEY_FORMS": "/environment",
            ]
            let settings = try Settings(
                flags: [Invocation.Flag(name: "store", value: Argument("/flag"))], environment: environment(variables))
            #expect(settings.values.text(.store) == "/flag")
            #expect(settings.values.text(.forms) == "/environment")
            #expect(settings.values.number(.hashIterations) == 7)
            #expect(settings.noInput)
            #expect(!settings.noColor)
        }
    }

    @Test(arguments: [
        (#"{"hash": {"memory": 70000, "iterations": 4}}"#, 70_000, 4),
        (#"{"hash.memory": 70000, "hash.iterations": 4}"#, 70_000, 4),
        (#"{"hash.memory": 70000, "hash": {"iterations": 4}}"#, 70_000, 4),
        (#"{"hash.memory": 70000}"#, 70_000, nil),
    ])
    func `a dotted key may also be nested in an object`(text: String, memory: Int?, iterations: Int?) throws {
        let values = try SettingValues(json: Array(text.utf8), file: "config.json")
        #expect(values.number(.hashMemory) == memory && values.number(.hashIterations) == iterations)
    }

    @Test func `a custom sentence may be nested in messages or have a dotted key`() throws {
        let text = #"{"messages.response.taken": "Gone", "messages": {"form.setup.title": "Join us"}}"#
        let values = try SettingValues(json: Array(text.utf8), file: "config.json")
        #expect(values.sentences == ["response.taken": "Gone", "form.setup.title": "Join us"])
    }

    @Test(arguments: [
        (#"{"hash": {"memory": 70000}, "hash.memory": 70000}"#, "hash.memory", 1, 44),
        (#"{"audit.days": 1, "audit": {"days": 1}}"#, "audit.days", 1, 16),
        (#"{"messages": {"response.taken": "a"}, "messages.response.taken": "b"}"#, "messages.response.taken", 1, 66),
    ])
    func `a key that is both dotted and nested is refused`(text: String, key: String, line: Int, column: Int) throws {
        let refusal = try #require(
            #expect(throws: FormDescriptionError.self) {
                try SettingValues(json: Array(text.utf8), file: "config.json")
            })
        #expect(refusal.problem.code == "tool.setting_twice" && refusal.problem.values["key"] == .text(key))
        #expect(refusal.place == TextPlace(line: line, column: column))
        let failure = ToolFailure.configurationRefused(refusal)
        #expect(failure.status == .configuration)
        #expect(failure.sentence(Translation.english.allMessages).contains("\"\(key)\" is set twice"))
    }

    @Test func `a command that creates no hash refuses the cost flags`() throws {
        let parser = ArgumentParser(commands: CommandTable.all)
        func code(_ line: String) -> String? {
            do throws(ToolFailure) {
                let first = try parser.firstPass(line.split(separator: " ").map { Argument(String($0)) })
                let flags = (try? first.command.sampleFlags()) ?? []
                _ = try parser.secondPass(first, flags: flags)
                return SettingsTests.number(first.known)
            } catch {
                return error.code
            }
        }
        #expect(code("setup --hash-memory 70000") == "70000", "the first pass knows it, because it is a setting")
        #expect(code("login --hash-memory=70000") == "70000")
        #expect(code("accounts list --hash-memory 70000") == "unknown_flag")
        #expect(code("config show --hash-memory 70000") == "unknown_flag")
        let taking = CommandTable.all.filter(\.hashesPasswords).map(\.name)
        #expect(
            taking == [
                "", "login", "setup", "reset-password", "change-password", "run", "checkpassword", "accounts create",
                "accounts import", "accounts apply", "accounts set-password", "serve",
            ])
    }

    private static func number(_ flags: [Invocation.Flag]) -> String? {
        (try? SettingValues(flags: flags))?.number(.hashMemory).map(String.init)
    }

    @Test(arguments: [
        #"{"colour": 1}"#, #"{"store": 1}"#, #"{"hash": {"memory": "1"}}"#, #"{"hash": {"rounds": 1}}"#, "[]", "{",
        #"{"hash": {"memory": -1}}"#, #"{"store": "/a", "store": "/b"}"#,
        #"{"store": "/a\u0000b"}"#, #"{"forms": "/a\u0000b"}"#, #"{"store": ""}"#,
        "{\"store\": \"/a\"}" + String(repeating: " ", count: 65_536),
    ])
    func `an invalid configuration is refused`(text: String) {
        #expect(throws: FormDescriptionError.self) { try SettingValues(json: Array(text.utf8), file: "config.json") }
    }

    @Test(arguments: [
        (#"{"service": {"origin": "accounts.example.org"}}"#, "tool.setting_origin", "service.origin"),
        (#"{"service": {"origin": "https://accounts.example.org/login"}}"#, "tool.setting_origin", "service.origin"),
        (#"{"service": {"registration": "maybe"}}"#, "tool.setting_choice", "service.registration"),
        (#"{"service": {"sign_ups_per_day": 0}}"#, "description.out_of_range", "service.sign_ups_per_day"),
        (#"{"audit": {"size": "1"}}"#, "description.wrong_type", "audit.size"),
        (#"{"audit": {"size": 0}}"#, "description.out_of_range", "audit.size"),
        (#"{"hash": {"memroy": 1}}"#, "tool.setting_unknown", "hash.memroy"),
        (#"{"polcy": "nist"}"#, "tool.setting_unknown", "polcy"),
        (#"{"colour": 1}"#, "description.unknown_key", "colour"),
        (#"{"audit": 1}"#, "description.wrong_type", "audit"),
    ])
    func `the error for a nested key shows the full key`(text: String, code: String, key: String) {
        let refusal = #expect(throws: FormDescriptionError.self) {
            try SettingValues(json: Array(text.utf8), file: "config.json")
        }
        #expect(refusal?.problem.code == code && refusal?.problem.values["key"] == .text(key))
    }

    @Test func `an unknown key is reported with the closest known key`() throws {
        let refusal = #expect(throws: FormDescriptionError.self) {
            try SettingValues(json: Array(#"{"hash": {"memroy": 1}}"#.utf8), file: "config.json")
        }
        let sentence = ToolFailure.configurationRefused(try #require(refusal))
            .sentence(Translation.english.allMessages)
        #expect(sentence.hasSuffix(#"config.json:1:11: unknown key "hash.memroy". Did you mean: "hash.memory""#))
    }

    @Test func `an invalid key does not hide other problems of its file`() {
        var problems: [Settings.Problem] = []
        let text = #"{"policy": "nist", "colour": 1, "audit": {"size": 0, "days": 7}, "store": 2}"#
        let values = SettingValues(json: Array(text.utf8), file: "config.json", problems: &problems)
        #expect(values.text(.policy) == "nist" && values.number(.auditDays) == 7)
        #expect(values.number(.auditSize) == nil && values.text(.store) == nil)
        #expect(problems.count == 3 && problems.allSatisfy { $0.place == "config.json" })
    }

    @Test func `canonically equivalent keys are distinct`() {
        let text = "{\"caf\u{E9}\": 1, \"cafe\u{301}\": 1, \"hash\": {\"caf\u{E9}\": 1}}"
        var problems: [Settings.Problem] = []
        _ = SettingValues(json: Array(text.utf8), file: "config.json", problems: &problems)
        #expect(problems.count == 3)
    }

    @Test func `the language comes from the flag, the environment, the file, and then the locale`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "latchkey/config.json")
            func title(_ variables: [String: String], flag: String? = nil) throws -> String {
                let flags = flag.map { [Invocation.Flag(name: "lang", value: Argument($0))] } ?? []
                let all = variables.merging(["XDG_CONFIG_HOME": folder.path]) { own, _ in own }
                return try Settings(flags: flags, environment: environment(all)).messages.sentence("link.setup")
            }
            let (english, portuguese) = ("Create an account", "Criar conta")
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
    func `a language without translations is refused`(name: String) throws {
        let flag = Invocation.Flag(name: "lang", value: Argument(name))
        for refusal in [
            #expect(throws: ToolFailure.self) { try Settings(flags: [flag], environment: environment([:])) },
            #expect(throws: ToolFailure.self) {
                try Settings(flags: [], environment: environment(["LATCHKEY_LANG": name]))
            },
        ] {
            #expect(refusal?.status == .usage && refusal?.code == "bad_language")
            #expect(refusal?.sentence(Translation.english.allMessages).contains("en, pt") == true)
        }
        try withFolder { folder in
            let file = folder.appending(path: "latchkey/config.json")
            try "{\n  \"lang\": \"\(name)\"}".write(to: file, atomically: true, encoding: .utf8)
            let refusal = #expect(throws: ToolFailure.self) {
                try Settings(flags: [], environment: environment(["XDG_CONFIG_HOME": folder.path]))
            }
            #expect(refusal?.status == .configuration)
            #expect(
                refusal?.sentence(Translation.english.allMessages).contains("config.json:2:11: unknown lang") == true)
        }
    }

    @Test func `a folder adds languages`() throws {
        try withFolder { folder in
            let place = folder.appending(path: "latchkey")
            func settings(_ variables: [String: String]) throws -> Settings {
                let all = variables.merging(["LATCHKEY_LANGUAGES": place.path, "HOME": "/nonexistent"]) { own, _ in own
                }
                return try Settings(flags: [], environment: environment(all))
            }
            func write(_ text: String, _ name: String = "de.json") throws {
                try text.write(to: place.appending(path: name), atomically: true, encoding: .utf8)
            }
            try write(#"{"link.setup": "Registrieren", "tool.of_another_version": "{x}", "link.login": ""}"#)
            let german = try settings(["LC_ALL": "de_AT.UTF-8"])
            #expect(german.language.rawValue == "de")
            #expect(german.messages.sentence("link.setup") == "Registrieren")
            #expect(german.messages.sentence("link.login") == "Log in instead", "a missing sentence is in English")
            #expect(try settings(["LATCHKEY_LANG": "de"]).language.rawValue == "de")
            #expect(try settings([:]).language == .english && settings(["LC_ALL": "fr_FR"]).language == .english)
            try write(#"{"link.setup": "Inscreva-se"}"#, "pt.json")
            #expect(try settings(["LC_ALL": "pt"]).messages.sentence("link.setup") == "Inscreva-se")
            try write("{\n\"rule.min_length\": \"mindestens {maximum}\"}")
            let refused = #expect(throws: ToolFailure.self) { try settings(["LC_ALL": "de"]) }
            #expect(refused?.status == .configuration)
            #expect(refused?.sentence(Translation.english.allMessages).contains("de.json:2:20: ") == true)
            #expect(try settings(["LC_ALL": "pt"]).language == .portuguese, "another language is not read")
            #expect(throws: ToolFailure.self) { try settings(["LC_ALL": "pt"]).languages.translations() }
            for name in ["en.json", "German.json", "pt_BR.json"] {
                try write("{}", name)
                let refused = #expect(throws: ToolFailure.self) { try settings([:]) }
                #expect(refused?.status == .configuration && refused?.code == "language_name")
                try FileManager.default.removeItem(at: place.appending(path: name))
            }
        }
    }

    @Test(arguments: [
        ([], Language.english), (["--lang", "pt"], .portuguese), (["--lang=pt"], .portuguese),
        (["--lang", "xx"], .english), (["--lang"], .english), (["login", "--lnag", "pt"], .english),
    ])
    func `an early error uses the language of the command line or the locale`(
        arguments: [String], language: Language
    ) {
        let arguments = arguments.map { Argument($0) }
        func early(_ arguments: [Argument], _ variables: [String: String]) -> Language {
            Settings.messages(before: arguments, in: environment(variables)).language
        }
        #expect(early(arguments, [:]) == language)
        #expect(early([], ["LATCHKEY_LANG": "pt"]) == .portuguese)
        #expect(early(arguments, ["LC_ALL": "pt_BR.UTF-8"]) == .portuguese)
    }

    @Test func `an operator's sentence replaces the default one in each language`() throws {
        func values(_ text: String) throws -> SettingValues {
            try SettingValues(json: Array(text.utf8), file: "config.json")
        }
        let own = try values(
            #"{"messages": {"mail.recovery.subject": "{service}: here you are", "form.setup.title": "Join us"}}"#)
        #expect(own.sentences["mail.recovery.subject"] == "{service}: here you are")
        #expect(own.sentences["form.setup.title"] == "Join us", "although the English table does not have it")
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
    func `an invalid sentence is refused`(messages: String, code: String) {
        let refusal = #expect(throws: FormDescriptionError.self) {
            try SettingValues(json: Array(#"{"messages": \#(messages)}"#.utf8), file: "config.json")
        }
        #expect(refusal?.problem.code == code)
        #expect(Translation.english.allMessages.sentence(code, refusal?.problem.values ?? [:]) != code)
    }

    @Test func `a configuration named by a flag must exist`() throws {
        #expect(throws: ToolFailure.self) {
            try Settings(
                flags: [Invocation.Flag(name: "config", value: Argument("/nonexistent/config.json"))],
                environment: environment([:]))
        }
    }

    /// S-126.
    @Test(arguments: ["-1", "+1", "01", "1.5", "x", "99999999999999999999"])
    func `a number may contain only digits`(text: String) {
        #expect(throws: ToolFailure.self) {
            try SettingValues(flags: [Invocation.Flag(name: "hash-memory", value: Argument(text))])
        }
    }

    @Test func `folders follow the XDG specification`() throws {
        let home = environment(["HOME": "/home/ada"])
        #expect(try UserFolder.data.path(in: home) == "/home/ada/.local/share/latchkey")
        #expect(try UserFolder.state.path(in: home) == "/home/ada/.local/state/latchkey")
        #expect(try UserFolder.configuration.path(in: home) == "/home/ada/.config/latchkey")
        let given = environment(["HOME": "/home/ada", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "relative"])
        #expect(try UserFolder.data.path(in: given) == "/data/latchkey")
        #expect(try UserFolder.state.path(in: given) == "/home/ada/.local/state/latchkey")
        #expect(throws: ToolFailure.self) { try UserFolder.data.path(in: environment([:])) }
    }

    @Test func `hash parameters below the minimum are refused`() throws {
        #expect(try HashSettings.cost(SettingValues()) == .standard)
        var weak = SettingValues()
        weak.set(.integer(1024), for: .hashMemory, from: .flag("--hash-memory"))
        #expect(throws: ToolFailure.self) { try HashSettings.cost(weak) }
        weak.set(.integer(Int(UInt32.max) + 1), for: .hashMemory, from: .flag("--hash-memory"))
        #expect(throws: ToolFailure.self) { try HashSettings.cost(weak) }
    }

    @Test func `hash parameters above the verification limit are refused`() throws {
        func failure(_ setting: Setting? = nil, _ number: Int = 0) -> String? {
            var values = SettingValues()
            if let setting { values.set(.integer(number), for: setting, from: .variable("X")) }
            do {
                _ = try HashSettings.hasher(values)
                return nil
            } catch {
                return error.status == .configuration ? error.code : "not a configuration"
            }
        }
        #expect(failure() == nil)
        #expect(failure(.hashMemory, 262_145) == "hash_cost_high")
        #expect(failure(.hashIterations, 17) == "hash_cost_high")
        #expect(failure(.hashParallelism, 17) == "hash_cost_high")
        #expect(failure(.hashParallelism, 0) == "hash_cost")
    }
}

extension SettingValues {
    /// Reads a configuration and throws its first problem.
    init(json bytes: [UInt8], file: String) throws(FormDescriptionError) {
        var problems: [Settings.Problem] = []
        self.init(json: bytes, file: file, problems: &problems)
        if case .configurationRefused(let error)? = problems.first?.failure { throw error }
    }
}
