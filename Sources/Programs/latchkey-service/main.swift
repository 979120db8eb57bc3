import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyForms
import LatchkeyNetworking
import LatchkeyPostgres
import LatchkeyRemote
import LatchkeyServer
import LatchkeySystem

CommandLineTool.start(
    parts: ServiceParts(
        serve: Serving.run, checkService: Serving.check, description: Serving.description, health: Serving.health,
        openID: .standard,
        logoutSender: { authorities in
            let sender = RequestSender(
                threads: WorkerThreads(count: 4, waitingLimit: 64), total: LogoutOutcome.attempt,
                authorities: authorities, agent: "latchkey/" + CommandLineTool.version)
            return LogoutTokenSender { (form, url) async throws(LogoutFailure) in
                do throws(TransferFailure) { return try await sender.post(form, to: url) } catch {
                    throw LogoutFailure(error.reason)
                }
            }
        },
        connect: { (address, authorities, messages) throws(ToolFailure) in
            let origin: RemoteOrigin
            do throws(RemoteOriginError) { origin = try RemoteOrigin(address) } catch {
                throw .badValue("--server", .server(problem: error.sentence(messages)))
            }
            let threads = WorkerThreads(count: 1, waitingLimit: 8)
            @Sendable func client(
                _ tokens: any SessionStore, _ report: @escaping @Sendable (any ClientFault) -> Void
            ) -> HTTPNetworking {
                HTTPNetworking(
                    origin: origin, sessionStore: tokens, threads: threads, authorities: authorities,
                    agent: "latchkey/" + CommandLineTool.version, report: report)
            }
            return ServerConnection(digest: origin.digest, client: client) {
                (rules) async throws(ClientError) in try await client(TokenHolder()) { _ in }.forms(rules, messages)
            }
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
            return DatabaseStore(store, identity: store.identity)
        },
        migrate: { (address, key, mayContinue) throws(AccountError) in
            try PostgresAccountStore.migrate(address, key: key, mayContinue: mayContinue)
        },
        tables: { (address) throws(AccountError) in try PostgresTables(at: address) },
        completed: { ServiceSite.Texts.completed($0).completed(by: .remote) }))
