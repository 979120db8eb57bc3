import Foundation
import LatchkeyForms
import TestSupport
import Testing

/// One row of `Tests/Fixtures/forms/cases.jsonl`: answers to a form, and the verdict that each front must give.
struct FormCase: Decodable, Sendable, CustomTestStringConvertible {
    /// The front. A row excludes fronts that cannot carry its answers. An argument cannot contain NUL. A terminal line
    /// has no line breaks and at most 4094 bytes. JSON cannot contain invalid UTF-8.
    enum Front: String, Decodable, CaseIterable, Sendable { case model, flags, lines, validate }

    struct Failure: Decodable, Equatable, Sendable {
        let field: String
        let code: String
        let message: String
    }

    let form: String
    /// The answers that differ from `answers.jsonl`.
    let values: [String: String]
    /// More answers in hexadecimal, for bytes that are not valid UTF-8.
    let bytes: [String: String]?
    /// In the order of the fields.
    let failures: [Failure]
    /// The normalized values of a valid form.
    let gives: [String: String]?
    /// The corrected answers, where they differ from `answers.jsonl`.
    let mend: [String: String]?
    let cannot: [Front]?
    let why: String

    var testDescription: String { "\(form): \(why)" }

    /// The answer for a field.
    func answer(_ key: FieldKey) -> [UInt8] {
        if let hex = bytes?[key.rawValue] { return Self.bytes(ofHex: hex) }
        return Array((values[key.rawValue] ?? goodAnswer(key)).utf8)
    }

    /// An answer that passes every rule.
    func goodAnswer(_ key: FieldKey) -> String { Self.answers[form]?[key.rawValue] ?? "" }

    static func all(for front: Front) throws -> [FormCase] {
        let rows = try Fixture.rows(of: FormCase.self, in: "forms/cases.jsonl")
        return rows.filter { $0.cannot?.contains(front) != true }
    }

    private static func bytes(ofHex text: String) -> [UInt8] {
        let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private struct Answers: Decodable {
        let form: String
        let values: [String: String]
    }

    private static let answers: [String: [String: String]] = {
        let rows = (try? Fixture.rows(of: Answers.self, in: "forms/answers.jsonl")) ?? []
        return Dictionary(rows.map { ($0.form, $0.values) }) { _, last in last }
    }()
}

/// The forms of the rows: those in `Tests/Fixtures/forms` and the built-in ones.
struct CaseForms {
    let catalogue: FormCatalogue
    /// The file that describes each form.
    let files: [String: URL]

    /// - Parameter folder: gets a copy of the descriptions, for `--forms`.
    init(copiedTo folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var sources: [FormCatalogue.Source] = []
        var files: [String: URL] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: Fixture.folder.appending(path: "forms").path)
        where name.hasSuffix(".json") {
            let bytes = try Fixture.contents(of: "forms/" + name)
            let copy = folder.appending(path: name)
            try bytes.write(to: copy)
            // A checkout may make files group-writable, which this test does not cover.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
            sources.append(FormCatalogue.Source(file: name, bytes: Array(bytes)))
            files[try FormCatalogue.form(of: sources[sources.count - 1]).id] = copy
        }
        for (id, name) in Self.shipped { files[id] = Sandbox.shippedForm(name) }
        catalogue = try FormCatalogue(replacedBy: sources)
        self.files = files
    }

    /// The command of each built-in form.
    static let shipped = [
        "login": "login", "setup": "setup", "forgotPassword": "forgot-password", "resetPassword": "reset-password",
        "changePassword": "change-password", "profile": "profile", "deleteAccount": "delete-account",
        "reauthenticate": "reauthenticate", "secondFactor": "second-factor", "addFactor": "add-factor",
    ]

    func form(of row: FormCase) throws -> Form { try #require(catalogue[row.form], "\(row.form)") }
}
