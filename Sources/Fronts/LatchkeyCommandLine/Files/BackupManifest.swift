import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite
import LatchkeySecrets
import LatchkeySystem

/// The description of a backup, stored next to it as `FILE.json`. It contains no secrets.
struct BackupManifest {
    static let suffix = ".json"
    /// The maximum size in bytes.
    private static let limit = 65536

    /// SHA-256 of the backup, 32 bytes.
    let digest: [UInt8]

    static func json(of backup: StoreBackup, named name: String, at time: Timestamp) -> JSONValue {
        let head: JSONValue =
            if let head = backup.auditHead {
                .object([
                    ("sequence", .integer(Int(head.sequence))), ("hash", .string(Hexadecimal.text(of: head.hash))),
                ])
            } else {
                .null
            }
        return .object([
            ("file", .string(name)), ("sha256", .string(Hexadecimal.text(of: backup.digest))),
            ("bytes", .integer(backup.size)), ("schema", .integer(backup.schema)), ("audit_head", head),
            ("sealing_keys", .array(backup.sealingKeys.map { .string($0) })),
            ("created_at", .string(time.rfc3339)), ("version", .string(CommandLineTool.version)),
        ])
    }

    /// Reads the manifest of the backup at `path`; nil if it does not exist.
    ///
    /// - Throws: if the manifest cannot be read or does not contain the backup's digest.
    init?(nextTo path: String) throws(ToolFailure) {
        let manifest = path + Self.suffix
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFiles.bytes(manifest, limit: Self.limit)
        } catch .notFound {
            return nil
        } catch {
            throw .reading(manifest, error)
        }
        let value = bytes.count > Self.limit ? nil : (try? JSONReader.read(bytes))?.value
        guard let digest = value?["sha256"]?.string.flatMap({ Hexadecimal.bytes(of: $0) }), digest.count == 32 else {
            throw .backupDiffers(path: path)
        }
        self.digest = digest
    }
}
