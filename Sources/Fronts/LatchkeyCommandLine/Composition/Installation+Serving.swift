import LatchkeyAccounts
package import LatchkeyForms
import LatchkeySQLite
package import LatchkeySystem

/// The parts of the composition root that `latchkey-service` uses.
extension Installation {
    /// Prevents other services and migrations from using an SQLite store while this service runs. Several services may
    /// use one database.
    ///
    /// - Throws: status 69 if another service holds the lock.
    package func lockForServing() throws(ToolFailure) -> FileLock? {
        location.isDatabase ? nil : try location.lockForServing()
    }

    /// Throws status 69 if this machine's clock differs too much from the database's: the machines that share a store
    /// would expire each other's codes.
    package func checkClock() async throws(ToolFailure) {
        let difference: Duration?
        do throws(AccountError) { difference = try await service.clockDifference() } catch {
            throw ToolFailure(error, at: location)
        }
        guard let difference, difference.absolute > AccountService.largestClockDifference else { return }
        throw .clockDiffers(seconds: difference.secondsText)
    }

    /// Logs a difference of more than five seconds between this machine's clock and the database's.
    package func noteClockDifference() async {
        guard let difference = (try? await service.clockDifference()) ?? nil, difference.absolute > .seconds(5) else {
            return
        }
        context.output.problem(
            context.messages.sentence("tool.clock_differs", ["seconds": .text(difference.secondsText)]))
    }

    /// Whether a program or a mail server gets messages.
    package var sendsMail: Bool { context.settings.sendsMail }

    /// Shows the outbox folder if no mailer is configured.
    package func noteMissingMailer() {
        guard !sendsMail else { return }
        context.output.note(context.messages.sentence("tool.no_mailer", ["path": .text(location.outbox.new)]))
    }

    /// Tells the operator of a new store how to create the first administrator.
    ///
    /// - Parameter url: the address of the service.
    package func noteMissingAdministrator(at url: String) async {
        guard (try? await service.hasAccounts()) == false else { return }
        context.output.note(context.messages.sentence("tool.first_administrator", ["url": .text(url + "/admin")]))
    }

    /// All settings with their sources, as `config show` prints them.
    package var shownSettings: [(key: String, value: String, source: String)] {
        ConfigShowCommand(context).lines.map { line in
            let parts = line.parts(context.messages)
            return (line.key, parts.value, parts.source)
        }
    }

    /// The number of the store's schema.
    package var schema: Int { SQLiteAccountStore.newestSchema }

    /// Runs the checks of `store check`. A sound finding has no text. A store that cannot be checked has one failed check.
    package func checkStore() async -> [(name: String, text: String, isBad: Bool, isWarning: Bool)] {
        do throws(ToolFailure) {
            return try await StoreCheckCommand(context: context).findings(at: location).map { finding in
                (
                    finding.check,
                    finding.verdict == .sound ? "" : context.messages.sentence(finding.code, finding.values),
                    finding.verdict == .bad, finding.verdict == .warning
                )
            }
        } catch {
            return [("store", error.sentence(context.messages), true, false)]
        }
    }

    /// The languages of pages and responses.
    package var languages: LanguageFolder { context.settings.languages }

    /// The language of the settings.
    package var translation: Translation { context.settings.translation }

    /// The sentences of a language, including the operator's custom sentences.
    package func messages(in translation: Translation) -> MessageTable {
        // The operator's custom sentences are in the language of the settings.
        translation.language == context.settings.language ? context.settings.messages : translation.allMessages
    }

    /// The forms for account owners in the language of `messages`.
    ///
    /// - Parameter verifyingEmail: whether sign-up must not ask for a password, whatever the settings are.
    package func forms(
        wordedBy messages: MessageTable, verifyingEmail: Bool
    ) throws(ToolFailure) -> FormCatalogue {
        let forms = try FormFolder.catalogue(
            context.settings.values.text(.forms), context.rules, messages)
        return context.settings.signUp(of: forms, verifyingEmail: verifyingEmail)
    }
}

extension Duration {
    package var absolute: Duration { max(self, .zero - self) }

    /// Seconds with three decimals: `-0.125`.
    package var secondsText: String {
        let milliseconds = Int64((self / .milliseconds(1)).rounded())
        let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        return "\(milliseconds < 0 ? "-" : "")\(seconds)." + "\(1000 + rest)".dropFirst()
    }
}

extension FormCatalogue {
    /// A copy in which sign-up asks for as long a password as the policy does. A new account has no second factor.
    func requiringSetupPassword(of policy: PolicyPreset) -> FormCatalogue {
        replacing(form(for: .setup).requiring(passwordLength: policy.minimumLength))
    }

    /// A copy in which sign-up does not ask for a password. The owner sets it with the code sent to the address.
    var withoutPasswordOfSetup: FormCatalogue { replacing(form(for: .setup).without(.password)) }
}

extension StoreLocation {
    /// - Throws: status 69 if a service holds the lock.
    func lockForServing() throws(ToolFailure) -> FileLock {
        do throws(FileError) {
            return try FileLock(servingLock, in: openFolder(), waitingUpTo: .zero)
        } catch .busy {
            throw .alreadyServing(path: path)
        } catch {
            throw ToolFailure(.store(StoreError(error, at: path, orElse: .missing)), at: self)
        }
    }
}
