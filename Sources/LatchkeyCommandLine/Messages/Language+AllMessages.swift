import LatchkeyAccounts
import LatchkeyFlows
package import LatchkeyForms
import LatchkeyProvisioning
import LatchkeyTerminal

extension Language {
    /// The sentences of every module in this language.
    package var allMessages: MessageTable {
        messages.completed(by: .flows, .terminal, .accounts, .provisioning, .commandLine, .policy)
    }
}
