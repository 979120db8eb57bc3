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
            #expect(throws: ClientSettingsFailure.badValue(setting.key)) {
                try changed.apply(.object([(setting.key, .integer(1))]))
            }
        }
    }
}
