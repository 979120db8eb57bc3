import LatchkeyAccounts
import LatchkeySecrets

extension PHCString: StoredHash {
    var scheme: String { variant.rawValue }

    var traits: [HashTraits.Parameter] {
        [
            .init("m", Int(parameters.memory)), .init("t", Int(parameters.iterations)),
            .init("p", Int(parameters.parallelism)),
        ]
    }

    var memory: Int { Int(parameters.memory) }

    var milliseconds: Double { parameters.milliseconds }

    func isAllowed(by caps: StoredCostCaps) -> Bool { caps.allow(parameters) }

    func matches(_ password: Secret) throws(HashError) -> Bool {
        let computed = try Argon2.tag(
            byteCount: tag.count, of: password, salt: salt, parameters: parameters, variant: variant)
        return computed.withBytes { ConstantTime.areEqual($0, tag.span) }
    }
}
