import Foundation
import TestSupport

/// The modules that were built for these tests, for the compiler and its tools.
enum BuiltModules {
    /// Options with the modules and their C modules.
    static let options: [String] = {
        let built = Bundle.main.bundleURL.resolvingSymlinksInPath().path
        let files = FileManager.default
        var maps: [String] = []
        for folder in [SourceTree.path(of: "Sources/C"), built] {
            for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
                let map = "\(folder)/\(name)/module.modulemap"
                if files.fileExists(atPath: map) { maps.append(map) }
            }
        }
        // Where Debian has the header of libpq.
        return [
            "-I", "\(built)/Modules", "-I", "/usr/include/postgresql", "-module-cache-path", "\(built)/ModuleCache",
        ]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }()

    #if arch(arm64)
        static let target = "aarch64-unknown-linux-gnu"
    #else
        static let target = "x86_64-unknown-linux-gnu"
    #endif

    static func swiftc(_ arguments: [String], in folder: TemporaryFolder) throws -> Sandbox.Ending {
        try run("swiftc", arguments, in: folder)
    }

    /// Runs a tool of the compiler in `folder`.
    static func run(_ tool: String, _ arguments: [String], in folder: TemporaryFolder) throws -> Sandbox.Ending {
        var environment = ["HOME": folder.path, "TMPDIR": folder.path]
        environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
        return try Program(
            path: "/usr/bin/env", arguments: [tool] + arguments, input: Data(), environment: environment,
            folder: URL(filePath: folder.path)
        ).run()
    }
}
