import LatchkeyAccounts
import LatchkeyForms

/// `pepper add`: adds a sealing key.
enum PepperAddCommand {
    static let spec = CommandSpec(
        words: ["pepper", "add"], summary: "Add a key that seals new hashes",
        about:
            "Create a key in keys/pepper.d next to the store, and seal new hashes with it. Stored hashes stay unchanged"
            + " until pepper rotate. If you lose the keys, the sealed passwords stop working: keep a copy of the keys apart"
            + " from the store and its backups.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey pepper add", "latchkey pepper add --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        let id = try await installation.administering { (service, user) async throws(AccountError) in
            try await service.addSealingKey(by: user)
        }
        return .sentence("tool.pepper_added", ["id": .text(id.text)], json: [("key", .string(id.text))])
    }
}

/// `pepper rotate`: seals the stored hashes with the newest key.
enum PepperRotateCommand {
    static let spec = CommandSpec(
        words: ["pepper", "rotate"], summary: "Seal every hash with the newest key",
        about: "Seal every stored hash with the newest key, in batches. Needs no passwords, and people can log in"
            + " meanwhile. After an interruption, run it again to finish.",
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey pepper rotate", "latchkey pepper rotate --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        let (sealed, refused) = try await installation.asking { (service) async throws(AccountError) in
            try await service.rotateSealingKeys(by: .thisUser)
        }
        if sealed > 0 { context.tellAdministered() }
        guard refused == 0 else { throw .pepperRefused(count: refused) }
        return .sentence("tool.pepper_rotated", ["count": .integer(sealed)], json: [("sealed", .integer(sealed))])
    }
}

/// `pepper status`: lists the keys with the number of hashes that each seals.
enum PepperStatusCommand {
    static let spec = CommandSpec(
        words: ["pepper", "status"], summary: "List the keys and how many hashes each seals",
        about: "List the store's keys, oldest first: whether each is present, whether it seals new hashes, and how many"
            + " hashes it seals; then the number of unsealed hashes. Works while a key is missing.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey pepper status", "latchkey pepper status --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let status = try await installation.asking { (service) async throws(AccountError) in
            try await service.sealingStatus()
        }
        let lines = status.keys.map { key in
            "\(key.record.id.text)  \(context.shown(key.record.createdAt))  \(key.isCurrent ? "current" : "old")"
                + "  \(key.isPresent ? "present" : "missing")  \(key.references)"
        }
        let keys = status.keys.map { key in
            JSONValue.object([
                ("key", .string(key.record.id.text)), ("created_at", .string(key.record.createdAt.rfc3339)),
                ("current", .bool(key.isCurrent)), ("present", .bool(key.isPresent)),
                ("references", .integer(key.references)),
            ])
        }
        return .lines(
            lines + [context.messages.sentence("tool.pepper_unsealed", ["count": .integer(status.bare)])],
            json: [("keys", .array(keys)), ("bare", .integer(status.bare))])
    }
}

/// `pepper retire`: deletes a key that no longer seals anything.
enum PepperRetireCommand {
    static let spec = CommandSpec(
        words: ["pepper", "retire"], summary: "Delete a key that seals no hash",
        about:
            "Delete a key. Refused while it seals a stored hash or new ones. Backups with hashes that it seals become"
            + " useless.",
        operand: CommandSpec.Operand(name: "KEY", isRequired: true),
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey pepper retire 0123456789abcdef", "latchkey pepper retire 0123456789abcdef --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        guard let id = context.operand.flatMap({ SealingKeyID($0) }) else {
            throw .pepperUnknown(id: context.operand ?? "")
        }
        try await installation.retire(id)
        return .sentence("tool.pepper_retired", ["id": .text(id.text)])
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
