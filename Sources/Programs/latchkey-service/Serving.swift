import Glibc
import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyRemote
import LatchkeyServer
import LatchkeySystem

/// `serve`: runs the service until a signal ends it.
enum Serving {
    /// Throws the problem that would keep `serve` from starting with these settings.
    static func check(_ context: CommandContext) throws(ToolFailure) {
        let settings = context.serviceSettings
        _ = try settings.configuration(for: settings.listeners())
        _ = try settings.groupOfSockets()
        _ = try settings.metricsAddress()
    }

    static func run(_ context: CommandContext) async throws(ToolFailure) -> CommandResult {
        let settings = context.serviceSettings
        let addresses = try settings.listeners()
        let configuration = try settings.configuration(for: addresses)
        _ = try settings.metricsAddress()
        let jobs = BackgroundJobs()
        let installation = try await Installation.open(
            context, creating: true, delivery: .later { jobs.deliverSoon() }, reporting: true)
        try await installation.checkClock()
        let lock = try installation.lockForServing()
        defer { lock?.release() }
        SignalNotice.watchInterruptions()
        let requests = RequestCounter()
        let hashes = HashQueue(atOnce: installation.hashesAtOnce)
        let readiness = Readiness(of: installation.service)
        let (server, site) = try start(addresses, configuration, installation, requests, hashes, readiness, context)
        let health = try startHealth(installation, requests, hashes, readiness, jobs, context)
        let service = installation.service.linking(to: site.configuration.origin).reportingDeliveries {
            [output = context.output] failure in
            jobs.count(failure)
            output.log(.warning, failure.members)
        }
        let work = jobs.start(service, site.providerKeys) { await installation.noteClockDifference() }
        try context.output.show(
            .sentence(
                "tool.serving", ["url": .text(site.configuration.origin.text)],
                json: [("url", .string(site.configuration.origin.text))]), context.messages)
        installation.noteMissingMailer()
        await installation.noteMissingAdministrator(at: site.configuration.origin.text)
        ServiceManager.notify("READY=1")
        do throws(SystemError) { try await SignalNotice.wait() } catch { throw .noThreads }
        ServiceManager.notify("STOPPING=1")
        context.output.note(context.messages.sentence("tool.serving_stops"))
        await server.stop()
        await health?.stop()
        work.cancel()
        await work.value
        return .printed
    }

    /// The description of the API for the settings.
    static func description(_ context: CommandContext) throws(ToolFailure) -> JSONValue {
        let settings = context.serviceSettings
        let configuration = try settings.configuration(for: settings.listeners())
        let isTrial = configuration.isTrial(sendingMail: context.sendsMail)
        return ServiceRoutes.description(context.formsOfService(verifyingEmail: !isTrial), configuration)
    }

    /// Asks the service of `--server` or of the settings whether it is ready.
    static func health(_ context: CommandContext) async throws(ToolFailure) -> (server: String, answer: String) {
        let settings = context.serviceSettings
        var local: ListenAddress?
        if context.serverAddress == nil {
            local = try settings.metricsAddress()
            if local == nil { local = try settings.listeners().first }
        }
        let server = context.serverAddress ?? local?.localText ?? ""
        let sender = RequestSender(
            threads: WorkerThreads(count: 1, waitingLimit: 1), total: .seconds(5), authorities: context.authorities,
            agent: "latchkey/" + CommandLineTool.version)
        let answer: (status: Int, line: String)
        do throws(TransferFailure) {
            if case .address? = local {
                // RemoteOrigin refuses plain HTTP to most addresses. This request contains nothing secret.
                answer = try await sender.get("http://" + server + "/readyz")
            } else {
                guard let origin = try? RemoteOrigin(server) else { throw .unreachable }
                answer = try await sender.get(origin.base + "/readyz", over: origin.socket)
            }
        } catch {
            throw .unhealthy(server: server, problem: error.reason)
        }
        guard answer.status == 200 else {
            throw .unhealthy(server: server, problem: "HTTP \(answer.status) \(answer.line)")
        }
        return (server, answer.line)
    }

    /// Opens the sockets and starts serving them. Returns what all requests share.
    private static func start(
        _ addresses: [ListenAddress], _ configuration: ServiceConfiguration, _ installation: Installation,
        _ requests: RequestCounter, _ hashes: HashQueue, _ readiness: Readiness, _ context: CommandContext
    ) throws(ToolFailure) -> (HTTPServer, ServiceSite) {
        var sockets = ServiceManager.sockets(context.inherited)
        let group = try context.serviceSettings.groupOfSockets()
        for address in sockets.isEmpty ? addresses : [] {
            sockets.append(try open(address, group))
        }
        var configuration = configuration
        // A port chosen by the system is only known after its socket is open.
        if configuration.isOnThisMachine, let local = ServiceConfiguration(onThisMachine: sockets.map(\.address)) {
            (configuration.origin, configuration.hosts) = (local.origin, local.hosts)
        }
        configuration.facts = installation.facts
        let site = try installation.site(configuration, hashes, context)
        let routes = ServiceRoutes(of: site)
        do throws(SystemError) {
            let server = HTTPServer(
                proxies: configuration.proxies,
                logger: { [output = context.output] entry in
                    requests.count(entry)
                    output.log(entry.level, entry.members)
                },
                executor: installation.storeThread, isBrief: { routes.isBrief($0) },
                refusal: { routes.refusal(of: $0, $1) }, prepared: { routes.prepared(for: $0) },
                handler: { request in
                    if let answer = await readiness.answer(to: request) { return answer }
                    return await routes.respond(to: request)
                })
            for socket in sockets { try server.serve(socket) }
            return (server, site)
        } catch {
            throw .noThreads
        }
    }
}

extension Serving {
    private static func open(_ address: ListenAddress, _ group: UInt32? = nil) throws(ToolFailure) -> ListenSocket {
        do throws(SystemError) { return try ListenSocket(address, group: group) } catch {
            let reason: ToolFailure.ListenFailure =
                switch error.code {
                case EADDRINUSE: .inUse
                case EEXIST: .fileExists
                case EPERM where group != nil: .notInGroup
                case EACCES, EPERM: .notPermitted
                case ENOENT, ENOTDIR: .folderMissing
                case EADDRNOTAVAIL: .addressOfOther
                default: .other
                }
            throw .listenFailed(name: address.text, reason)
        }
    }

    /// Starts the listener for monitoring, if the settings specify one.
    private static func startHealth(
        _ installation: Installation, _ requests: RequestCounter, _ hashes: HashQueue, _ readiness: Readiness,
        _ jobs: BackgroundJobs, _ context: CommandContext
    ) throws(ToolFailure) -> HTTPServer? {
        guard let address = try context.serviceSettings.metricsAddress() else { return nil }
        let socket = try open(address)
        let routes = HealthRoutes(of: installation.service, requests, hashes, readiness, jobs)
        do throws(SystemError) {
            let server = HTTPServer(executor: installation.storeThread, handler: { await routes.respond(to: $0) })
            try server.serve(socket)
            return server
        } catch {
            throw .noThreads
        }
    }
}

extension ServiceConfiguration {
    /// Whether the service is a trial: only this machine can connect, and without a mailer, codes stay in the outbox.
    fileprivate func isTrial(sendingMail: Bool) -> Bool { origin.isLocal && !sendingMail }
}

extension Installation {
    /// What administrators see about the service.
    fileprivate var facts: ServiceFacts {
        var facts = ServiceFacts()
        facts.version = CommandLineTool.version
        facts.schema = schema
        facts.sendsMail = sendsMail
        facts.settings = shownSettings.map { ServiceFacts.Setting(key: $0.key, value: $0.value, source: $0.source) }
        facts.checkStore = { [self] in
            await checkStore().map { check in
                ServiceFacts.Check(
                    name: check.name, text: check.text,
                    verdict: check.isBad ? .bad : check.isWarning ? .warning : .sound)
            }
        }
        return facts
    }

    /// The state that all requests share.
    fileprivate func site(
        _ configuration: ServiceConfiguration, _ hashes: HashQueue, _ context: CommandContext
    ) throws(ToolFailure) -> ServiceSite {
        let isTrial = configuration.isTrial(sendingMail: sendsMail)
        func texts(in translation: Translation) throws(ToolFailure) -> ServiceSite.Texts {
            let messages = messages(in: translation)
            return ServiceSite.Texts(
                forms: try forms(wordedBy: messages, verifyingEmail: !isTrial), messages: messages,
                policy: service.settings.preset)
        }
        var languages: [ServiceSite.Texts] = []
        for translation in try self.languages.translations() { languages.append(try texts(in: translation)) }
        return ServiceSite(
            service: (isTrial ? service : service.forStrangers).linking(to: configuration.origin), languages: languages,
            standard: try texts(in: translation), configuration: configuration, events: context.events,
            hashQueue: hashes,
            reportRefusal: { [output = context.output] refusal in output.log(.info, refusal.members) })
    }
}

extension HTTPLogEntry {
    var level: LogLevel { status < 500 ? .info : .error }

    /// Nothing that the client chose but the method, and its address as the throttles see it.
    var members: [(key: String, value: JSONValue)] {
        let milliseconds = duration / .milliseconds(1)
        return [
            ("client", client.map { .string($0.text) } ?? .null), ("method", .string(method)),
            ("route", route.map { .string($0) } ?? .null), ("status", .integer(status)),
            ("ms", .number(String((milliseconds * 10).rounded() / 10))), ("request", .string(id)),
            ("peer", peer.map { .string($0.text) } ?? .null),
        ] + (problem.map { [("problem", .string($0))] } ?? [])
    }
}

extension ProviderRefusal {
    /// The refusal in the log. It contains nothing that the client chose.
    fileprivate var members: [(key: String, value: JSONValue)] {
        [
            ("refused", .string(rule)), ("application", client.map { .string($0) } ?? .null),
            ("request", .string(request)),
        ] + (reason.map { [("reason", .string($0))] } ?? [])
    }
}

extension DeliveryFailure {
    /// The failure in the log. It contains no address.
    fileprivate var members: [(key: String, value: JSONValue)] {
        [
            client.map { ("logout", .string($0)) } ?? ("mail", .string(message)), ("attempt", .integer(attempt)),
            ("reason", .string(reason)),
            ("next", nextAttempt.map { .string($0.rfc3339) } ?? .null),
        ]
    }
}
