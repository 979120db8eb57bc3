import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyForms
import LatchkeyPostgres
import LatchkeyRemote
import LatchkeySystem

CommandLineTool.start(
    parts: ServiceParts(
        serve: Serving.run,
        connect: { (address, authorities, messages) throws(ToolFailure) in
            try ServerClient(address, authorities: authorities, messages)
        },
        mailer: { (description, context) throws(ToolFailure) in
            do throws(SMTPServerError) {
                return SMTPMailer(
                    try SMTPServer(json: description), threads: WorkerThreads(count: 1, waitingLimit: 64),
                    authorities: context.authorities)
            } catch {
                throw .mailServerRefused(problem: error.sentence(context.messages))
            }
        },
        database: { (address, connections, new) async throws(AccountError) in
            let store = try await PostgresAccountStore.open(address, creating: new, connections: connections)
            return DatabaseStore(store, identity: store.identity, schema: PostgresAccountStore.schema)
        },
        tables: { (address) throws(AccountError) in try PostgresTables(at: address) }))
