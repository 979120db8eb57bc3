import LatchkeyAccounts
package import LatchkeyHashing
import LatchkeySystem

/// The parameters of new password hashes, from the settings.
enum HashSettings {
    /// - Throws: status 78 if the cost is below the minimum.
    static func cost(_ values: SettingValues) throws(ToolFailure) -> Argon2Cost {
        let standard = Argon2Cost.standard
        func number(_ value: Int?, _ standard: UInt32) throws(ToolFailure) -> UInt32 {
            guard let value else { return standard }
            guard let number = UInt32(exactly: value) else { throw .hashCostHigh }
            return number
        }
        let memory = try number(values.number(.hashMemory), standard.memory)
        let iterations = try number(values.number(.hashIterations), standard.iterations)
        let parallelism = try number(values.number(.hashParallelism), standard.parallelism)
        do {
            return try Argon2Cost(memory: memory, iterations: iterations, parallelism: parallelism)
        } catch {
            throw .hashCost
        }
    }

    /// The engine in the settings; by default the fastest one.
    ///
    /// - Throws: status 78 if the processor does not support it.
    static func engine(_ values: SettingValues) throws(ToolFailure) -> Argon2Engine {
        guard let name = values.text(.hashEngine), let engine = Argon2Engine(rawValue: name) else { return .fastest }
        guard engine.isAvailable else {
            let available = Argon2Engine.allCases.filter(\.isAvailable).map(\.rawValue)
            throw .hashEngine(name: name, known: available.joined(separator: ", "))
        }
        return engine
    }

    /// - Parameter location: the store whose processes share memory for hashes; nil not to share memory.
    /// - Throws: status 78 if the cost is below the minimum or above the limits for verification.
    static func hasher(
        _ values: SettingValues, nextTo location: StoreLocation? = nil
    ) throws(ToolFailure) -> Argon2Hasher {
        let cost = try cost(values)
        let engine = try engine(values)
        let budget = location.map {
            SharedBudget(
                folder: $0.slotsFolder, holders: Argon2Hasher.cores, total: Argon2Hasher.availableMemory)
        }
        do throws(HashError) {
            return try Argon2Hasher(cost: cost, engine: engine, sharing: budget)
        } catch {
            switch error {
            case .costTooHigh: throw .hashCostHigh
            case .noRandomness, .overloaded, .unsupported, .outOfMemory, .store:
                throw ToolFailure(AccountError.noRandomness)
            }
        }
    }
}

extension CommandContext {
    /// The parameters of new password hashes.
    ///
    /// - Throws: status 78 if the settings are below the minimum.
    package var hashCost: Argon2Cost {
        get throws(ToolFailure) { try HashSettings.cost(settings.values) }
    }

    /// The implementation of Argon2id.
    ///
    /// - Throws: status 78 if the processor does not support the engine in the settings.
    package var hashEngine: Argon2Engine {
        get throws(ToolFailure) { try HashSettings.engine(settings.values) }
    }
}
