import Foundation
import Glibc
package import LatchkeyForms
package import LatchkeyTesting
import Testing

/// A server of `Tests/Fixtures/remote` that ends when this object is released.
package final class FixtureServer {
    package let port: Int
    private let process = SpawnedProcess()
    private let input = Pipe()
    private let folder: TemporaryFolder

    /// Starts the script and waits until it listens.
    package init(_ script: String, in folder: TemporaryFolder, _ arguments: [String]) throws {
        self.folder = folder
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [Fixture.folder.appending(path: "remote/" + script).path] + arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: try folder.write([], to: "errors"))
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8), !byte.isEmpty {
            line += byte
        }
        let errors = String(decoding: try folder.read("errors"), as: UTF8.self)
        port = try #require(Int(String(decoding: line, as: UTF8.self)), "\(script) did not start: \(errors)")
    }

    deinit {
        // The script ends when its input is closed.
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// The entries that the server has logged.
    package func log() throws -> [JSONValue] {
        try folder.read("log").split(separator: UInt8(ascii: "\n")).map { try #require(JSONValue(line: $0)) }
    }

    /// The values that the server has logged under `key`, in order.
    package func logged(_ key: String) throws -> [String] { try log().compactMap { $0[key] }.compactMap(\.string) }

    /// The messages that a mail server has received.
    package func messages() throws -> [String] {
        try logged("data").map { String(decoding: try #require(Data(base64Encoded: $0)), as: UTF8.self) }
    }
}

/// A port of this machine on which nothing listens while this object exists.
package final class ClosedPort {
    package let number: Int
    private let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

    package init() throws {
        let socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(socket, pointer, length) == 0 ? getsockname(socket, pointer, &length) : -1
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        try #require(code == 0)
    }

    deinit { _ = close(socket) }
}

/// Certificates that the openssl command creates, once for all tests.
package struct Certificates {
    package let folder: TemporaryFolder

    package static let shared = Result { try Certificates() }

    package var authority: String { folder.path(of: "ca.pem") }
    /// A certificate for `localhost` and 127.0.0.1, and its key.
    package var local: [String] { pair("local") }
    /// A certificate for another host.
    package var other: [String] { pair("other") }

    private func pair(_ name: String) -> [String] { [folder.path(of: name + ".pem"), folder.path(of: name + ".key")] }

    private init() throws {
        folder = try TemporaryFolder()
        try make("ca", ["-subj", "/CN=Test authority"])
        let signed = ["-CA", folder.path(of: "ca.pem"), "-CAkey", folder.path(of: "ca.key")]
        try make("local", signed + ["-subj", "/CN=local", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        try make("other", signed + ["-subj", "/CN=other", "-addext", "subjectAltName=DNS:other.example"])
    }

    private func make(_ name: String, _ arguments: [String]) throws {
        let process = SpawnedProcess()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
            + ["-keyout", folder.path(of: name + ".key"), "-out", folder.path(of: name + ".pem")] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl made no certificate")
    }
}
