import Foundation
import LatchkeyForms
import TestSupport
import Testing

/// Every front is equal: an import says of the answers of the set-up form's rows what every other front does.
@Suite struct ImportFrontTests {
    private struct Problem: Decodable {
        let line: Int
        let field: String?
        let code: String
        let message: String
    }

    private struct Answer: Decodable {
        let errors: [Problem]?
    }

    @Test func `rows of a file`() throws {
        let sandbox = try Sandbox()
        let forms = try CaseForms(copiedTo: sandbox.folder.appending(path: "forms"))
        // What JSON can carry.
        let rows = try FormCase.all(for: .validate).filter { $0.form == "setup" }
        #expect(rows.count >= 10)
        var lines = Data()
        for row in rows {
            var values: [String: String] = [:]
            for field in try forms.form(of: row).fields {
                values[field.apiKey.rawValue] = String(decoding: row.answer(field.apiKey), as: UTF8.self)
            }
            lines += try JSONSerialization.data(withJSONObject: values) + Data("\n".utf8)
        }
        let ending = try sandbox.latchkey(
            ["accounts", "import", "-", "--format", "jsonl", "--dry-run", "--json"], input: lines)
        let errors = try JSONDecoder().decode(Answer.self, from: Data(ending.stdout.utf8)).errors ?? []
        for (index, row) in rows.enumerated() {
            // That many rows have one name is what makes them a file that nobody would import.
            let told = errors.filter { $0.line == index + 1 && $0.code != "duplicate" }
            let failures = told.map { FormCase.Failure(field: $0.field ?? "", code: $0.code, message: $0.message) }
            #expect(failures == row.failures, "\(row.testDescription)")
        }
    }
}
