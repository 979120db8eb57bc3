import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets

extension FuzzTarget {
    /// A user of the forms and flows. Each byte is one action.
    static let flows = FuzzTarget("flows", upTo: 400) { bytes in await FuzzPerson(bytes).live() }
}

@globalActor actor FuzzActor {
    static let shared = FuzzActor()
}

/// Performs the actions, even while a call runs, and checks the invariants.
@FuzzActor private final class FuzzPerson {
    private var rest: ArraySlice<UInt8>
    private let network: FuzzNetwork
    private let coordinator: AccountCoordinator?
    private var model: FormViewModel?
    private var submissions: [Task<Void, Never>] = []
    private var callsInFlight = 0
    private var broken: String?
    private let forms: FormCatalogue?

    nonisolated private static let password = "correct horse battery"

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
        let network = FuzzNetwork()
        let forms = FuzzForms.builtIn
        self.network = network
        self.forms = forms
        coordinator = forms.map { forms in
            AccountCoordinator(
                dependency: AppDependency(networking: network, forms: forms) { .login }, opening: .login)
        }
        show()
    }

    func live() async -> String? {
        await network.meet(self)
        while let byte = rest.popFirst(), broken == nil {
            act(byte)
            await settle()
        }
        // Every call ends.
        coordinator?.cancel()
        for submission in submissions { await submission.value }
        return broken
    }

    /// Lets started work run as far as possible.
    private func settle() async {
        guard submissions.count > 0 else { return }
        for _ in 0..<3 { await Task.yield() }
    }

    private func act(_ byte: UInt8) {
        guard let coordinator, let model else { return }
        let type = AccountType.allCases[Int(byte >> 4) % AccountType.allCases.count]
        let field = model.fields[Int(byte >> 4) % model.fields.count].apiKey
        switch byte & 15 {
        case 0: coordinator.updateResponder(to: type)
        case 1: coordinator.cancel()
        case 2...4: submit()
        case 5: _ = model.edit(.insert(Secret(copying: "x".utf8Span.span)), of: field, at: Int(byte >> 4))
        case 6: _ = model.edit(.deleteWordBackward, of: field, at: Int(byte >> 4))
        case 7: _ = model.edit(.yank, of: field, at: Int(byte >> 4))
        case 8: model.validate(field: field)
        case 9: model.validateForm()
        case 10: model.dropSecrets()
        case 11: model.clear(field)
        case 12: _ = model.edit(.insert(Secret(copying: Array(rest.prefix(6)).span)), of: field, at: 1)
        default: fill(model)
        }
        look()
        if coordinator.path.last != nil, model.form.accountType != coordinator.responder { show() }
    }

    private func fill(_ model: FormViewModel) {
        for field in model.fields {
            let text =
                switch field.apiKey {
                case .email: "ada@example.org"
                case .username: "ada"
                case .code: "0123-4567-89AB-CDEF-GHJK-MNPQ"
                case .currentPassword: "the one before it"
                default: Self.password
                }
            _ = model.set(text.utf8Span, for: field.apiKey)
        }
        if String(describing: model.state).contains(Self.password) { broken = "a password in what is shown" }
    }

    private func show() {
        guard let forms, let type = coordinator?.responder else { return }
        model = FormViewModel(type: type, in: forms, carrying: model?.carried ?? [:])
    }

    private func submit() {
        guard let coordinator, let model, let type = coordinator.responder, let credentials = model.takeCredentials()
        else { return }
        for field in model.fields where field.isSecret {
            if !model.withValue(of: field.apiKey, { $0.isEmpty }) { broken = "a secret stays where it was taken from" }
        }
        model.callBegan()
        submissions.append(
            Task { @FuzzActor [self] in
                let (destination, response) = await coordinator.userProvidedValidated(
                    credentials: credentials, type: type)
                if case .ignored = destination {} else if response == nil { broken = "led on by no answer" }
                model.callEnded(response?.alert(in: model.form, .english))
                if model === self.model || coordinator.responder != self.model?.form.accountType { show() }
            })
    }

    /// Runs while the call is in progress.
    func isCalled() async -> NetworkResponse {
        callsInFlight += 1
        if callsInFlight > 1 { broken = "two calls at once" }
        defer { callsInFlight -= 1 }
        let count = Int(rest.popFirst() ?? 0) % 5
        for _ in 0..<count {
            guard let byte = rest.popFirst() else { break }
            act(byte)
            await Task.yield()
        }
        switch (rest.popFirst() ?? 0) % 6 {
        case 0, 1: return .success()
        case 2: return .refused(.invalidCredentials)
        case 3: return .refused(.taken, [RuleFailure(code: .taken, field: .username)])
        case 4: return .changeRequired()
        default: return .throttled(retryAfter: .seconds(9))
        }
    }

    private func look() {
        guard let coordinator else { return }
        if Set(coordinator.path).count != coordinator.path.count { broken = "a flow is in the path twice" }
    }
}

private actor FuzzNetwork: Networking {
    private var person: FuzzPerson?

    func meet(_ person: FuzzPerson) { self.person = person }

    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        await person?.isCalled() ?? .unavailable()
    }
}
