import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite

extension ToolFailure {
    /// Why no backup was made, or nothing was restored.
    init(_ error: BackupError, backup path: String, at location: StoreLocation) {
        switch error {
        case .alreadyThere: self.init(.cannotCreate, "backup_exists", ["path": .text(path)])
        case .target(let error): self.init(making: path, error)
        case .unreadable(let error): self.init(reading: path, error)
        case .otherThanManifest:
            self.init(
                .inputOutput, "backup_differs",
                ["path": .text(path), "manifest": .text(path + BackupManifest.suffix)])
        case .store(let error): self.init(error, at: location)
        }
    }

    /// A backup's file that cannot be made.
    init(making path: String, _ error: StoreError) {
        let values: [String: RuleFailure.Value] = ["path": .text(path)]
        switch error {
        case .missing, .denied: self.init(.cannotCreate, "backup_folder", values)
        case .exposed: self.init(.notAllowed, "backup_exposed", values)
        case .full: self.init(.inputOutput, "backup_full", values)
        default: self.init(.inputOutput, "backup_failed", values)
        }
    }
}
