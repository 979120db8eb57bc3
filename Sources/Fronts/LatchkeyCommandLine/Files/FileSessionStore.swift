import LatchkeyAccounts
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem

/// Stores this user's session token in a file that only the user can read, and the device token in another one. Both
/// belong to one store.
struct FileSessionStore: SessionStore {
    private static let name = "session"
    private static let deviceName = "device"
    /// The maximum size of the file in bytes. It contains the store's ID in hexadecimal digits, a newline, the token
    /// and a newline.
    private static let maximumBytes = 256

    /// The folder of the files; nil if none is available. Without it, no session can be saved or found.
    private let folder: String?
    /// The ID of the store in hexadecimal digits. Tokens of other stores are ignored.
    private let storeID: [UInt8]
    /// Reading and writing block, so they run on these threads.
    private let threads: WorkerThreads
    /// False for a program that forwards logins of other people, who must not share a device.
    private let isOwnDevice: Bool
    private let lastFailure = Locked<SessionStoreError?>(nil)
    private let pending = Locked<Secret?>(nil)

    init(folder: String?, storeID: [UInt8], isOwnDevice: Bool = true, threads: WorkerThreads) {
        self.folder = folder
        self.storeID = Array(Hexadecimal.text(of: storeID).utf8)
        self.isOwnDevice = isOwnDevice
        self.threads = threads
    }

    /// The reason why the last attempt to save a token failed; nil if it succeeded.
    var failure: SessionStoreError? { lastFailure.withLock { $0 } }

    func save(_ token: Secret) async throws(SessionStoreError) {
        do throws(SessionStoreError) {
            try await write(token, to: Self.name)
            lastFailure.withLock { $0 = nil }
        } catch {
            lastFailure.withLock { $0 = error }
            throw error
        }
    }

    private func write(_ token: Secret, to name: String) async throws(SessionStoreError) {
        try await onThread { (folder) throws(FileError) in
            var content = SecretBytes(capacity: Self.maximumBytes)
            let fits = content.append(storeID.span) && content.append(UInt8(ascii: "\n"))
            guard fits, token.withBytes({ content.append($0) }), content.append(UInt8(ascii: "\n")) else {
                throw .tooLarge(limit: Self.maximumBytes)
            }
            let folder = try GuardedFolder(making: folder)
            try content.withBytes { (bytes) throws(FileError) in try folder.replace(name, with: bytes) }
        }
    }

    func token() async throws(SessionStoreError) -> Secret? {
        try await read(Self.name)
    }

    func pendingLogin() async -> Secret? { pending.withLock { $0 } }

    func save(pendingLogin token: Secret?) async { pending.withLock { $0 = token } }

    /// The device's token. If it is unreadable, the next login replaces it.
    func device() async -> DeviceClaim {
        guard isOwnDevice, folder != nil else { return .none }
        let token = try? await read(Self.deviceName)
        return token.map { .token($0) } ?? .new
    }

    func save(device token: Secret) async { try? await write(token, to: Self.deviceName) }

    private func read(_ name: String) async throws(SessionStoreError) -> Secret? {
        guard folder != nil else { return nil }
        return try await onThread { (folder) throws(FileError) in
            do throws(FileError) {
                let content = try GuardedFolder(at: folder).readSecret(name, limit: Self.maximumBytes)
                return content.withBytes { token(in: $0) }
            } catch .notFound {
                return nil
            }
        }
    }

    func forget() async throws(SessionStoreError) {
        guard folder != nil else { return }
        _ = try await onThread { (folder) throws(FileError) in try Self.removeFile(in: folder) }
    }

    /// Removes the file, even if it belongs to another store; false if it does not exist.
    static func remove(in folder: String) async throws(ToolFailure) -> Bool {
        do throws(FileError) { return try removeFile(in: folder) } catch {
            throw .sessionStore(SessionStoreError(error, at: folder))
        }
    }

    private static func removeFile(in folder: String) throws(FileError) -> Bool {
        do throws(FileError) {
            return try GuardedFolder(at: folder).remove(name)
        } catch .notFound {
            return false
        }
    }

    /// The token in the file's bytes; nil if they belong to another store or are malformed.
    private func token(in bytes: Span<UInt8>) -> Secret? {
        let start = storeID.count + 1
        guard bytes.count > start + 1, bytes[bytes.count - 1] == UInt8(ascii: "\n"),
            ConstantTime.areEqual(bytes.extracting(..<storeID.count), storeID.span)
        else { return nil }
        return Secret(copying: bytes.extracting(start..<(bytes.count - 1)))
    }

    private func onThread<Answer: Sendable>(
        _ body: @escaping @Sendable (_ folder: String) throws(FileError) -> Answer
    ) async throws(SessionStoreError) -> Answer {
        guard let folder else { throw .homeless }
        let result: Result<Answer, FileError>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run { Result { () throws(FileError) in try body(folder) } }
        } catch {
            throw .failed(path: folder + "/" + Self.name)
        }
        do throws(FileError) { return try result.get() } catch { throw SessionStoreError(error, at: folder) }
    }
}

extension SessionStoreError {
    fileprivate init(_ error: FileError, at folder: String) {
        let path = folder + "/session"
        self =
            switch error {
            case .exposed(let path), .openFolder(let path), .otherOwner(let path, _): .exposed(path: path)
            case .symlink, .notRegular, .tooLarge: .exposed(path: path)
            case .notFound, .alreadyThere, .busy, .silent, .full, .readOnly, .outOfMemory, .system:
                .failed(path: path)
            }
    }
}
