import Foundation
import LatchkeyAccounts
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60))) struct FileSessionStoreTests {
    private let folder = TemporaryFolder.parent.appending(path: "latchkey-\(UUID().uuidString)").path
    private let threads = WorkerThreads(count: 1, waitingLimit: 8)

    private func sessionStore(_ store: UInt8 = 1) -> FileSessionStore {
        FileSessionStore(folder: folder, storeID: Array(repeating: store, count: 16), threads: threads)
    }

    private var file: String { folder + "/session" }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private func text(_ secret: Secret?) -> String? {
        secret?.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }

    private let token = Secret(copying: "lks_token".utf8Span.span)

    @Test func `a token is stored for one store, in a file that only its owner can read`() async throws {
        defer { remove() }
        #expect(try await sessionStore().token() == nil)
        try await sessionStore().save(token)
        #expect(try text(await sessionStore().token()) == "lks_token")
        #expect(try await sessionStore(2).token() == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try await sessionStore().forget()
        #expect(try await sessionStore().token() == nil)
        try await sessionStore().forget()
    }

    @Test func `the device token outlives the session and is stored for one store`() async throws {
        defer { remove() }
        let device = Secret("lkd_device")
        guard case .new = await sessionStore().device() else { throw CocoaError(.featureUnsupported) }
        try await sessionStore().save(token)
        await sessionStore().save(device: device)
        try await sessionStore().forget()
        guard case .token(let kept) = await sessionStore().device() else { throw CocoaError(.featureUnsupported) }
        #expect(kept.isEqual(to: device))
        guard case .new = await sessionStore(2).device() else { throw CocoaError(.featureUnsupported) }
        let path = folder + "/device"
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        guard case .new = await sessionStore().device() else { throw CocoaError(.featureUnsupported) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let passingOn = FileSessionStore(
            folder: folder, storeID: Array(repeating: 1, count: 16), isOwnDevice: false, threads: threads)
        guard case .none = await passingOn.device() else { throw CocoaError(.featureUnsupported) }
        let homeless = FileSessionStore(folder: nil, storeID: [1], threads: threads)
        guard case .none = await homeless.device() else { throw CocoaError(.featureUnsupported) }
    }

    /// S-77.
    @Test func `a file that others can read and a symbolic link are refused`() async throws {
        defer { remove() }
        try await sessionStore().save(token)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        await #expect(throws: SessionStoreError.self) { try await sessionStore().token() }
        // A new log-in replaces it.
        try await sessionStore().save(token)
        #expect(try text(await sessionStore().token()) == "lks_token")
        try FileManager.default.moveItem(atPath: file, toPath: folder + "/elsewhere")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: folder + "/elsewhere")
        await #expect(throws: SessionStoreError.self) { try await sessionStore().token() }
    }

    @Test func `the cause of a failed write is available until the next successful write`() async throws {
        defer { remove() }
        let sessionStore = sessionStore()
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        await #expect(throws: SessionStoreError.self) { try await sessionStore.save(token) }
        #expect(sessionStore.failure == .exposed(path: file))
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        await #expect(throws: SessionStoreError.self) { try await sessionStore.save(token) }
        #expect(sessionStore.failure == .exposed(path: folder), "it is the folder that is open")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        try await sessionStore.save(token)
        #expect(sessionStore.failure == nil)
    }

    @Test(arguments: ["", "\n", "01010101010101010101010101010101", "01010101010101010101010101010101\n", "x"])
    func `a file without a session is ignored`(content: String) async throws {
        defer { remove() }
        try await sessionStore().save(token)
        try FileHandle(forWritingTo: URL(filePath: file)).truncate(atOffset: 0)
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.write(contentsOf: Data(content.utf8))
        try handle.close()
        #expect(try await sessionStore().token() == nil)
    }
}
