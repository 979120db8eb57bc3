import Foundation
import LatchkeyAccounts
import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyCommandLine

/// `ClientSetting.all` declares each setting of an application once. `RECORD=1` rewrites the documents that follow from it.
@Suite(.timeLimit(.minutes(60))) struct ApplicationSettingsTests {
    private static func text(of path: String) throws -> (text: String, file: URL) {
        let file = URL(filePath: SourceTree.path(of: path))
        return (try String(contentsOf: file, encoding: .utf8), file)
    }

    @Test func `the table of settings in the guide follows from their declaration`() throws {
        let (text, file) = try Self.text(of: "docs/openid.md")
        var lines = text.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| `name` |") })
        let end = try #require(lines[start...].firstIndex { !$0.hasPrefix("|") })
        lines.replaceSubrange(start..<end, with: ClientSetting.all.map(Self.row))
        try Golden.expect(lines.joined(separator: "\n"), in: file)
    }

    private static func row(_ setting: ClientSetting) -> String {
        let meaning = setting.summary + (setting.details.isEmpty ? "" : ". " + setting.details)
        let cells = [
            "`\(setting.key)`", setting.flag.map { "`--\($0.name)`" } ?? "", shownDefault(of: setting), meaning,
        ]
        return "| " + cells.joined(separator: " | ").replacing("  ", with: " ") + " |"
    }

    private static func shownDefault(of setting: ClientSetting) -> String {
        if let text = setting.defaultText { return text }
        return switch setting.defaultValue {
        case .string(let word): "`\(word)`"
        case .bool(let flag): String(flag)
        case .array(let elements): elements.map { "`\($0.string ?? "")`" }.joined(separator: ", ")
        default: ""
        }
    }

    @Test(arguments: ["application", "applications-show"])
    func `the schemas of --json follow from the declaration of settings`(name: String) throws {
        let (text, file) = try Self.text(of: "docs/schemas/\(name).json")
        var lines = text.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("    \"name\":") })
        let end = try #require(lines.firstIndex { $0.hasPrefix("    \"disabled\":") })
        lines.replaceSubrange(
            start..<end, with: ClientSetting.all.map { "    \"\($0.key)\": \(Self.spaced($0.schema))," })
        let required = try #require(lines.firstIndex { $0.hasPrefix("  \"required\":") })
        let present = JSONValue(line: "{\(lines[required].dropLast())}".utf8)?["required"]?.elements ?? []
        var names = present.compactMap(\.string).filter { ClientSetting.named($0) == nil }
        names.insert(
            contentsOf: ClientSetting.all.map(\.key), at: try #require(names.firstIndex(of: "client_id")) + 1)
        lines[required] = "  \"required\": \(Self.spaced(.array(names.map { .string($0) }))),"
        try Golden.expect(lines.joined(separator: "\n"), in: file)
    }

    /// JSON with a space after each comma and colon, as the schemas are written.
    private static func spaced(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements): "[" + elements.map(spaced).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { JSONValue.string($0.key).encoded + ": " + spaced($0.value) }.joined(separator: ", ")
                + "}"
        default: value.encoded
        }
    }

    @Test func `each setting has its own key and flag, and a value that it accepts`() throws {
        let settings = ClientSetting.all
        #expect(Set(settings.map(\.key)).count == settings.count)
        let flags = settings.compactMap(\.flag?.name)
        #expect(Set(flags).count == flags.count)
        #expect(ApplicationFlags.ofNew.map(\.name) == flags)
        for setting in settings where setting.key != "name" {
            var changed = ClientSettings(name: "Wiki")
            #expect(throws: Never.self, "\(setting.key)") {
                try changed.apply(.object([(setting.key, setting.defaultValue)]))
            }
            #expect(changed == ClientSettings(name: "Wiki"))
            let problem = "must not be a number: it " + setting.rule
            #expect(throws: ClientSettingsFailure.badValue(setting.key, problem: problem)) {
                try changed.apply(.object([(setting.key, .integer(1))]))
            }
        }
    }

    @Test(
        arguments: [
            (
                "redirect_uris", #""https://a.example""#,
                "must not be a string: it must be an array of different strings"
            ),
            ("redirect_uris", #"["https://a.example", 7]"#, "must contain strings, but element 2 is a number"),
            ("redirect_uris", #"["a", null]"#, "must contain strings, but element 2 is null"),
            ("scopes", #"["openid", ""]"#, "must not contain an empty string, but element 2 is one"),
            ("groups", #"["staff", "staff"]"#, #"must not contain "staff" twice"#),
            ("grants", "[]", "must not be empty: it can have code, refresh, device"),
            ("grants", #"["code", "implicit"]"#, #"must not contain "implicit": it can have code, refresh, device"#),
            ("consent", #""never""#, #"must not be "never": it must be one of: ask, skip"#),
            ("public", #""yes""#, "must not be a string: it must be true or false"),
            ("name", #""""#, "must not be empty"), ("backchannel_logout_uri", #""""#, "must not be empty"),
            ("claims", "[]", "must not be an array: it must be an object"),
        ])
    func `a message names the element that is wrong`(key: String, value: String, problem: String) throws {
        let json = try JSONReader.read(Array(value.utf8)).value
        var settings = ClientSettings(name: "Wiki")
        do throws(ClientSettingsFailure) {
            try settings.apply(.object([(key, json)]))
            Issue.record("\(key) was accepted")
        } catch {
            guard case .badValue(key, let found) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(found.hasPrefix(problem), "\(found)")
        }
    }

    @Test func `a list that is too long is refused with its length`() {
        var settings = ClientSettings(name: "Wiki")
        let elements = (0..<65).map { JSONValue.string("\($0)") }
        #expect(
            throws: ClientSettingsFailure.badValue("groups", problem: "must have at most 64 elements, not 65")
        ) { try settings.apply(.object([("groups", .array(elements))])) }
        let long = JSONValue.array([.string("a"), .string(String(repeating: "b", count: 2049))])
        #expect(
            throws: ClientSettingsFailure.badValue(
                "groups", problem: "must not contain more than 2048 bytes in element 2")
        ) { try settings.apply(.object([("groups", long)])) }
    }
}
