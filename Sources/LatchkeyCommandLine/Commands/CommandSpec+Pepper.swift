import LatchkeyAccounts
import LatchkeyForms

extension CommandSpec {
    static let pepperAdd = CommandSpec(
        words: ["pepper", "add"], summary: "make a key that new hashes are sealed with",
        about: "Makes a key in keys/pepper.d beside the store, and seals new hashes with it from now on. Those that are"
            + " stored stay as they are until pepper rotate. Without its keys the store verifies nothing: keep a copy of"
            + " them, apart from the store and its backups.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey pepper add", "latchkey pepper add --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        let id = try await installation.administering { (service, user) async throws(AccountError) in
            try await service.addSealingKey(by: user)
        }
        guard !context.output.json else { return try context.output.success([("key", .string(id.text))]) }
        try context.output.result(context.messages.sentence("tool.pepper_added", ["id": .text(id.text)]))
    }

    static let pepperRotate = CommandSpec(
        words: ["pepper", "rotate"], summary: "seal every hash with the newest key",
        about: "Seals every stored hash anew with the newest key, in batches; nobody's password is needed, and people"
            + " may log in meanwhile. Interrupted, it is run again and finishes the work.",
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey pepper rotate", "latchkey pepper rotate --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        let (sealed, refused) = try await installation.asking { (service) async throws(AccountError) in
            try await service.rotateSealingKeys(by: .thisUser)
        }
        if sealed > 0 { context.tellAdministered() }
        guard refused == 0 else { throw .pepperRefused(count: refused) }
        guard !context.output.json else { return try context.output.success([("sealed", .integer(sealed))]) }
        try context.output.result(context.messages.sentence("tool.pepper_rotated", ["count": .integer(sealed)]))
    }

    static let pepperStatus = CommandSpec(
        words: ["pepper", "status"], summary: "the keys, and how many hashes are sealed with each",
        about: "Lists the store's keys, oldest first: whether each is there, whether new hashes are sealed with it, and"
            + " how many are; and how many hashes are not sealed. Works, too, while a key is missing.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey pepper status", "latchkey pepper status --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        try context.output.sealing(
            try await installation.asking { (service) async throws(AccountError) in
                try await service.sealingStatus()
            }, context.messages)
    }

    static let pepperRetire = CommandSpec(
        words: ["pepper", "retire"], summary: "give up a key that nothing is sealed with",
        about: "Removes a key. Refused while a hash is sealed with it, or new ones are. What a backup of the store has"
            + " sealed with it cannot be opened any more.",
        operand: Operand(name: "KEY", isRequired: true),
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey pepper retire 0123456789abcdef", "latchkey pepper retire 0123456789abcdef --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        guard let id = context.operand.flatMap({ SealingKeyID($0) }) else {
            throw .pepperUnknown(id: context.operand ?? "")
        }
        try await installation.retire(id)
        try context.output.done(context.messages.sentence("tool.pepper_retired", ["id": .text(id.text)]))
    }
}

extension Installation {
    fileprivate func retire(_ id: SealingKeyID) async throws(ToolFailure) {
        let refusal = try await asking { (service) async throws(AccountError) -> AccountService.RetirementRefusal? in
            do throws(AccountService.RetirementRefusal) {
                try await service.retireSealingKey(id, by: .thisUser)
                return nil
            } catch .failed(let error) {
                throw error
            } catch {
                return error
            }
        }
        switch refusal {
        case nil: context.tellAdministered()
        case .unknown: throw .pepperUnknown(id: id.text)
        case .current: throw .pepperCurrent(id: id.text)
        case .inUse(let references): throw .pepperInUse(id: id.text, count: references)
        case .failed(let error): throw ToolFailure(error)
        }
    }
}
