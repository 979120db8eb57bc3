// swift-tools-version: 6.2
import PackageDescription

/// The parts of Latchkey that the program uses.
let parts = [
    "LatchkeyCommandLine", "LatchkeyTerminal", "LatchkeySQLite", "LatchkeyFlows", "LatchkeyForms", "LatchkeySecrets",
].map { Target.Dependency.product(name: $0, package: "latchkey") }

let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "GuestBook",
    dependencies: [.package(name: "latchkey", path: "../..")],
    targets: [
        .executableTarget(name: "guestbook", dependencies: parts, path: "Sources", swiftSettings: settings),
        .testTarget(
            name: "GuestBookTests",
            dependencies: ["guestbook", .product(name: "LatchkeyTesting", package: "latchkey")] + parts,
            path: "Tests", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6])
