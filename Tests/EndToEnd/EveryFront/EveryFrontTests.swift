import Foundation
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// One table of forms and answers. Every front gives the same verdict, codes and messages.
@Suite(.programs, .timeLimit(.minutes(60)))
struct EveryFrontTests {
    private let sandbox: Sandbox
    private let forms: CaseForms

    init() throws {
        sandbox = try Sandbox()
        forms = try CaseForms(copiedTo: sandbox.folder.appending(path: "forms"))
    }

    @Test func `the table has cases for every form, and each front can run most of them`() throws {
        let all = try FormCase.all(for: .model)
        #expect(all.count >= 100)
        #expect(Set(all.map(\.form)).isSuperset(of: forms.files.keys))
        for front in FormCase.Front.allCases { #expect(try FormCase.all(for: front).count > all.count * 9 / 10) }
        for row in all {
            let keys = Set(try forms.form(of: row).fields.map(\.apiKey.rawValue))
            #expect(keys.isSuperset(of: row.values.keys) && keys.isSuperset(of: (row.bytes ?? [:]).keys), "\(row.why)")
        }
    }

    @Test func `the view model gives the verdict of every row`() throws {
        for row in try FormCase.all(for: .model) {
            let form = try forms.form(of: row)
            let model = FormViewModel(form: form)
            let answers = form.fields.map { ($0.apiKey, FieldInput.bytes(Secret(copying: row.answer($0.apiKey).span))) }
            model.fill(Dictionary(uniqueKeysWithValues: answers))
            var failures: [FormCase.Failure] = []
            if case .invalid(let found) = model.validateForm() {
                failures = found.map {
                    FormCase.Failure(
                        field: $0.field?.rawValue ?? "", code: $0.code.rawValue,
                        message: MessageTable.english.sentence(for: $0, in: form))
                }
            }
            #expect(failures == row.failures, "\(row.testDescription)")
            #expect(model.state.fields.compactMap(\.message) == row.failures.map(\.message), "\(row.testDescription)")
            #expect(model.state.isValid == row.failures.isEmpty, "\(row.testDescription)")
            let credentials = model.takeCredentials()
            #expect((credentials != nil) == row.failures.isEmpty, "\(row.testDescription)")
            for (key, text) in row.gives ?? [:] {
                let given = credentials?.text(FieldKey(rawValue: key))
                #expect(given?.utf8.elementsEqual(text.utf8) == true, "\(row.testDescription)")
            }
        }
    }

    @Test func `forms try gives the verdict of every row`() async throws {
        let rows = try FormCase.all(for: .flags)
        let files = forms.files
        let answers = try await answers(to: rows) { row in ["forms", "try", files[row.form]?.path ?? ""] }
        for (row, answer) in zip(rows, answers) {
            try check(answer, of: row)
            let values = answer.json["values"] as? [String: Any]
            for (key, text) in row.gives ?? [:] { #expect(values?[key] as? String == text, "\(row.testDescription)") }
        }
    }

    /// Only invalid answers, because valid ones would run the command.
    @Test func `commands with forms give the verdict of every row`() async throws {
        let rows = try FormCase.all(for: .flags).filter {
            !$0.failures.isEmpty && AccountType(rawValue: $0.form)?.traits.canBeOpened == true
        }
        let answers = try await answers(to: rows) { row in [CaseForms.shipped[row.form] ?? ""] }
        for (row, answer) in zip(rows, answers) { try check(answer, of: row) }
        #expect(!FileManager.default.fileExists(atPath: sandbox.store.path))
    }

    /// One process for all rows of a form.
    @Test func `the validate command gives the verdict of every row`() throws {
        for (form, rows) in Dictionary(grouping: try FormCase.all(for: .validate), by: \.form) {
            var lines = Data()
            for (index, row) in rows.enumerated() {
                var values: [String: String] = [:]
                for field in try forms.form(of: row).fields {
                    values[field.apiKey.rawValue] = String(decoding: row.answer(field.apiKey), as: UTF8.self)
                }
                lines += try JSONSerialization.data(withJSONObject: ["id": index, "values": values]) + Data("\n".utf8)
            }
            let folder = sandbox.folder.appending(path: "forms").path
            let ending = try sandbox.latchkey(
                ["validate", "--jsonl", "--form", form, "--forms", folder], input: lines)
            #expect(ending.status == 0 && ending.stderr.isEmpty)
            let answers = try ending.stdout.split(separator: "\n").map {
                try JSONDecoder().decode(Verdict.self, from: Data($0.utf8))
            }
            #expect(answers.map(\.id) == Array(rows.indices))
            for (row, answer) in zip(rows, answers) {
                #expect(answer.errors == row.failures, "\(row.testDescription)")
                #expect(answer.valid == row.failures.isEmpty, "\(row.testDescription)")
            }
        }
    }

    private struct Verdict: Decodable {
        let id: Int
        let valid: Bool
        let errors: [FormCase.Failure]
    }

    @Test func `the line driver gives the verdict of every row`() async throws {
        let rows = try FormCase.all(for: .lines)
        // Uses as many terminals at once as the machine can handle.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, row) in rows.enumerated() {
                if index >= 6 { try await group.next() }
                group.addTask { try await fillIn(row) }
            }
            try await group.waitForAll()
        }
    }

    private func fillIn(_ row: FormCase) async throws {
        let file = try #require(forms.files[row.form])
        let session = try PtySession(
            Sandbox.binary.path, ["forms", "try", file.path],
            environment: sandbox.environment.merging(["TERM": "dumb"]) { _, new in new })
        let form = try forms.form(of: row)
        let person = await LinePerson(row, form, session)
        let printed = try await person.fillIn()
        // Sorts by the order of the fields, because a field that depends on a later one is reported after it.
        let order = form.fields.map(\.apiKey)
        let said = await person.said.sorted {
            (order.firstIndex(of: $0.field) ?? 0) < (order.firstIndex(of: $1.field) ?? 0)
        }
        #expect(said.map(\.field.rawValue) == row.failures.map(\.field), "\(row.testDescription)")
        #expect(said.map(\.message) == row.failures.map(\.message), "\(row.testDescription)")
        let values = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any]
        for (key, text) in row.gives ?? [:] { #expect(values?[key] as? String == text, "\(row.testDescription)") }
    }

    @Test func `every front reports a missing value`() throws {
        for form in forms.catalogue.all {
            let model = FormViewModel(form: form)
            guard case .invalid(let failures) = model.validateForm() else { continue }
            let file = try #require(forms.files[form.id])
            let ending = try sandbox.latchkey("forms", "try", file.path, "--json")
            #expect(ending.status == 64)
            let errors = try #require(try ending.json()["errors"] as? [[String: Any]])
            #expect(errors.map { $0["field"] as? String } == failures.map { $0.field?.rawValue })
            // "Missing" is more helpful than the first failing rule.
            #expect(errors.allSatisfy { $0["code"] as? String == "required" })
            let folder = sandbox.folder.appending(path: "forms").path
            let verdict = try sandbox.latchkey(
                "validate", "--jsonl", "--form", form.id, "--forms", folder, input: #"{"id":0,"values":{}}"# + "\n")
            let answer = try JSONDecoder().decode(Verdict.self, from: Data(verdict.stdout.utf8))
            #expect(answer.errors.map(\.field) == failures.map { $0.field?.rawValue })
            #expect(answer.errors.map(\.code) == failures.map(\.code.rawValue))
        }
    }

    // MARK: Flags

    private struct Answer {
        let status: Int32
        let json: [String: Any]
    }

    private func check(_ answer: Answer, of row: FormCase) throws {
        let errors = answer.json["errors"] as? [[String: Any]] ?? []
        let failures = errors.map {
            FormCase.Failure(
                field: $0["field"] as? String ?? "", code: $0["code"] as? String ?? "",
                message: $0["message"] as? String ?? "")
        }
        #expect(failures == row.failures, "\(row.testDescription)")
        #expect(answer.status == (row.failures.isEmpty ? 0 : 65), "\(row.testDescription)")
    }

    /// Runs the binary once for each row, from shells, because they can write bytes that are not UTF-8.
    private func answers(
        to rows: [FormCase], command: @Sendable (FormCase) -> [String]
    ) async throws -> [Answer] {
        let commands = try rows.map { try commandLine(command($0), $0) }
        let half = commands.count / 2
        async let first = run(commands[..<half])
        async let second = run(commands[half...])
        let lines = try await first + second
        try #require(lines.count == rows.count)
        return try lines.map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            let json = parts.count == 2 ? try JSONSerialization.jsonObject(with: Data(parts[1].utf8)) : [:]
            return Answer(status: Int32(parts[0]) ?? -1, json: json as? [String: Any] ?? [:])
        }
    }

    /// The shell script for a row. It prints the exit status and then the result.
    private func commandLine(_ command: [String], _ row: FormCase) throws -> String {
        var words = (command + ["--json", "--no-input"]).map { Array($0.utf8) }
        var input: [UInt8] = []
        for field in try forms.form(of: row).fields {
            let answer = row.answer(field.apiKey)
            if field.isSecret {
                words.append(Array("--\(field.flag)-stdin".utf8))
                input += answer + [UInt8(ascii: "\n")]
            } else {
                words.append(Array("--\(field.flag)=".utf8) + answer)
            }
        }
        let arguments = words.map { "$'" + Self.octal($0) + "'" }.joined(separator: " ")
        return """
            out=$(printf '\(Self.octal(input))' | timeout 600 "$LATCHKEY" \(arguments) 2>/dev/null)
            echo "$? $out"

            """
    }

    private func run(_ commands: ArraySlice<String>) async throws -> [String] {
        let file = sandbox.folder.appending(path: UUID().uuidString)
        try Data(("set -o pipefail\n" + commands.joined()).utf8).write(to: file)
        let program = Program(
            path: "/bin/bash", arguments: [file.path], input: Data(),
            environment: sandbox.environment.merging(["LATCHKEY": Sandbox.binary.path]) { _, new in new },
            folder: sandbox.folder)
        // On a separate thread, because it blocks.
        let ending = try await withCheckedThrowingContinuation { done in
            Thread { done.resume(with: Result { try program.run() }) }.start()
        }
        return ending.stdout.split(separator: "\n").map(String.init)
    }

    /// As bash's `$'…'` and printf's format read it.
    private static func octal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            guard !isPlain else { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
    }
}
