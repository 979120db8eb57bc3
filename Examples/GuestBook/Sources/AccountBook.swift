import Foundation
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyForms
import LatchkeySQLite
import LatchkeyTerminal

/// The same guest book with Latchkey's accounts: people sign up and log in, and their entries stay.
enum AccountBook {
    static func sign(_ program: Program) async throws {
        let person = await SignedIn.atTerminal(speaking: [.english: GuestForms.sentences])
        let form = try FormCatalogue.form(of: .init(file: "entry", text: GuestForms.entry), rules: GuestForms.rules)
        let all = await FormPrompt.ask(form, variables: ProcessInfo.processInfo.environment, messages: person.messages)
        guard let answers = all else { program.end(.no, saying: "The book is not signed") }
        print(try await add(answers, by: person.account, to: person.folder + "/guests.sqlite").joined(separator: "\n"))
    }

    /// Returns all entries with the new one.
    static func add(_ answers: Credentials, by person: AccountSummary, to path: String) async throws -> [String] {
        let table: StaticString = "CREATE TABLE entry (account TEXT, name TEXT, stay TEXT, message TEXT) STRICT"
        return try await SQLiteDatabase.open(path, migrations: [table]).write { connection in
            try connection.run(
                "INSERT INTO entry VALUES (?1, ?2, ?3, ?4)", .text(person.id), .text(person.name),
                .text(answers.text("stay")), .text(answers.text("message")))
            return try connection.rows("SELECT name || ' (' || stay || '): ' || message FROM entry") { try $0.text(0) }
        }
    }
}
