// swift-tools-version: 6.2
import PackageDescription

/// The layers, from the executable down. A target may depend only on targets below it: see docs/architecture.md.
let package = Package(
    name: "Latchkey",
    products: [
        .executable(name: "latchkey", targets: ["latchkey"]),
        .executable(name: "latchkey-service", targets: ["latchkey-service"]),
        // For developers: built on request and not installed.
        .executable(name: "latchkey-bench", targets: ["latchkey-bench"]),
        .library(name: "LatchkeyCommandLine", targets: ["LatchkeyCommandLine"]),
        .library(name: "LatchkeyTerminal", targets: ["LatchkeyTerminal"]),
        .library(name: "LatchkeyRemote", targets: ["LatchkeyRemote"]),
        .library(name: "LatchkeyNetworking", targets: ["LatchkeyNetworking"]),
        .library(name: "LatchkeySQLite", targets: ["LatchkeySQLite"]),
        .library(name: "LatchkeyPostgres", targets: ["LatchkeyPostgres"]),
        .library(name: "LatchkeyHashing", targets: ["LatchkeyHashing"]),
        .library(name: "LatchkeyFlows", targets: ["LatchkeyFlows"]),
        .library(name: "LatchkeyAccounts", targets: ["LatchkeyAccounts"]),
        .library(name: "LatchkeyForms", targets: ["LatchkeyForms"]),
        .library(name: "LatchkeyText", targets: ["LatchkeyText"]),
        // For tests of programs that use the libraries above; never part of a program.
        .library(name: "LatchkeyTesting", targets: ["LatchkeyTesting"]),
        .library(name: "LatchkeySystem", targets: ["LatchkeySystem"]),
        .library(name: "LatchkeySecrets", targets: ["LatchkeySecrets"]),
    ],
    targets: [
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // The public keys of nettle, with GMP.
        .systemLibrary(
            name: "CHogweed", pkgConfig: "hogweed", providers: [.apt(["libgmp-dev", "nettle-dev"])]),
        .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"])]),
        .systemLibrary(name: "CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
        // Embeds Blocklist/common-passwords.list: a Swift literal of that size takes the compiler minutes.
        .target(name: "CBlocklist", cSettings: [.treatAllWarnings(as: .error)]),
        // Argon2id with vector extensions, on libsodium's BLAKE2b (docs/decisions/0033-argon2-kernel.md).
        .target(name: "CArgonKernel", dependencies: ["CSodium"], cSettings: [.treatAllWarnings(as: .error)]),
        // A C header for RE2 (libre2-dev), which is C++. The only C++ in the package. A release has a copy of RE2, because
        // the shared library would load the C++ library too (docs/decisions/0036-linking.md).
        .target(
            name: "CRE2", cxxSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [
                .linkedLibrary("re2", .when(configuration: .debug)),
                .linkedLibrary(":libre2.a", .when(configuration: .release)),
            ]),

        .executableTarget(name: "latchkey", dependencies: ["LatchkeyCommandLine"]),
        // `latchkey` becomes this program for what needs the libraries of a service.
        .executableTarget(
            name: "latchkey-service",
            dependencies: [
                "LatchkeyCommandLine", "LatchkeyServer", "LatchkeyWeb", "LatchkeyPostgres", "LatchkeyRemote",
                "LatchkeyNetworking", "LatchkeyHTTP", "LatchkeyFlows", "LatchkeyOpenID", "LatchkeyAccounts",
                "LatchkeyForms", "LatchkeySystem", "LatchkeySecrets",
            ]),
        .executableTarget(
            name: "latchkey-bench",
            dependencies: [
                "LatchkeyCommandLine", "LatchkeyPostgres", "LatchkeyHashing", "LatchkeyAccounts", "LatchkeySystem",
                "LatchkeySecrets",
            ], path: "Bench/latchkey-bench"),
        .target(
            name: "LatchkeyCommandLine",
            dependencies: [
                "LatchkeyTerminal", "LatchkeyProvisioning", "LatchkeyNetworking", "LatchkeySQLite", "LatchkeyHashing",
                "LatchkeyFlows", "LatchkeyAccounts", "LatchkeyForms", "LatchkeyText", "LatchkeySystem",
                "LatchkeySecrets",
            ], resources: [.embedInCode("Help/Templates")]),
        .target(
            name: "LatchkeyTerminal",
            dependencies: ["LatchkeyFlows", "LatchkeyForms", "LatchkeyText", "LatchkeySystem", "LatchkeySecrets"]),
        .target(
            name: "LatchkeyProvisioning",
            dependencies: ["LatchkeyAccounts", "LatchkeyForms", "LatchkeyText", "LatchkeySystem", "LatchkeySecrets"]),
        .target(
            name: "LatchkeyServer",
            dependencies: [
                "LatchkeyWeb", "LatchkeyOpenID", "LatchkeyPasskeys", "LatchkeyPublicKeys", "LatchkeyNetworking",
                "LatchkeyHTTP", "LatchkeyFlows", "LatchkeyAccounts", "LatchkeyForms", "LatchkeySystem",
                "LatchkeySecrets",
            ],
            resources: [
                "account", "failed-logins", "form", "sessions-revoke", "factors-list", "group", "application",
                "api/components",
            ].map {
                .embedInCode("../../../docs/schemas/\($0).json")
            }),
        // Values in, pages out: it knows nothing of HTTP.
        .target(
            name: "LatchkeyWeb", dependencies: ["LatchkeyForms", "LatchkeyText", "LatchkeySecrets"],
            resources: [.embedInCode("Assets")]),
        .target(
            name: "LatchkeyRemote",
            dependencies: [
                "LatchkeyNetworking", "LatchkeyFlows", "LatchkeyAccounts", "LatchkeyForms", "LatchkeyText",
                "LatchkeySystem", "LatchkeySecrets", "CCurl",
            ]),
        .target(
            name: "LatchkeyNetworking",
            dependencies: ["LatchkeyFlows", "LatchkeyAccounts", "LatchkeyForms", "LatchkeySystem", "LatchkeySecrets"]),
        .target(
            name: "LatchkeySQLite",
            dependencies: [
                "LatchkeySQL", "LatchkeyAccounts", "LatchkeyForms", "LatchkeyText", "LatchkeySystem", "LatchkeySecrets",
                "CSQLite",
            ]),
        // Only for programs that are part of a service: loading libpq takes longer than `latchkey` itself.
        .target(
            name: "LatchkeyPostgres",
            dependencies: [
                "LatchkeySQL", "LatchkeyAccounts", "LatchkeyForms", "LatchkeyText", "LatchkeySystem", "LatchkeySecrets",
                "CPostgres",
            ]),
        // The rows of both stores: an engine runs the statements.
        .target(
            name: "LatchkeySQL", dependencies: ["LatchkeyAccounts", "LatchkeyForms", "LatchkeyText", "LatchkeySecrets"]),
        // Only for programs that are part of a service, which is where browsers bring passkeys.
        .target(
            name: "LatchkeyPasskeys",
            dependencies: ["LatchkeyPublicKeys", "LatchkeyAccounts", "LatchkeyForms", "LatchkeySecrets"]),
        // RSA and P-256. Like passkeys, only for programs that are part of a service.
        .target(name: "LatchkeyPublicKeys", dependencies: ["LatchkeySecrets", "CHogweed"]),
        // The values of OpenID Connect. It knows nothing of HTTP, accounts and stores.
        .target(
            name: "LatchkeyOpenID",
            dependencies: ["LatchkeyPublicKeys", "LatchkeyForms", "LatchkeyText", "LatchkeySecrets"]),
        .target(
            name: "LatchkeyHashing",
            dependencies: [
                "LatchkeyAccounts", "LatchkeySystem", "LatchkeySecrets", "CArgon2", "CArgonKernel", "CCrypt",
            ]),
        .target(name: "LatchkeyFlows", dependencies: ["LatchkeyForms", "LatchkeySystem", "LatchkeySecrets"]),
        .target(
            name: "LatchkeyAccounts",
            dependencies: ["LatchkeyForms", "LatchkeyText", "LatchkeySystem", "LatchkeySecrets"]),
        .target(
            name: "LatchkeyForms", dependencies: ["LatchkeyText", "LatchkeySecrets", "CBlocklist", "CZxcvbn"],
            resources: [.embedInCode("Forms"), .embedInCode("../../../Languages/pt.json")]),
        // Knows nothing of accounts.
        .target(name: "LatchkeyHTTP", dependencies: ["LatchkeySystem", "LatchkeySecrets", "CLinux", "CMicroHTTPD"]),
        .target(name: "LatchkeySystem", dependencies: ["LatchkeySecrets", "CLinux"]),
        .target(name: "LatchkeyText", dependencies: ["LatchkeySecrets", "CIDN2", "CQREncode", "CRE2", "CUnistring"]),
        .target(name: "LatchkeySecrets", dependencies: ["CNettle", "CSodium"]),

        .target(
            name: "LatchkeyTesting",
            dependencies: [
                "LatchkeyTerminal", "LatchkeySQLite", "LatchkeyHashing", "LatchkeyFlows", "LatchkeyAccounts",
                "LatchkeyForms", "LatchkeyText", "LatchkeySystem", "LatchkeySecrets",
            ]),
        // The shortest program with a form: no store, and every call succeeds.
        .executableTarget(
            name: "sample", dependencies: ["LatchkeyTerminal", "LatchkeyFlows", "LatchkeyForms"],
            path: "Examples/Sample", packageAccess: false),
        .target(
            name: "TestSupport",
            dependencies: [
                "LatchkeyTesting", "LatchkeySQL", "LatchkeyPasskeys", "LatchkeyHTTP", "LatchkeyAccounts",
                "LatchkeyFlows", "LatchkeyForms", "LatchkeySystem", "LatchkeyText", "LatchkeySecrets", "CLinux",
                "CSodium",
            ],
            path: "Tests/TestSupport"),
        // An SQLite VFS that fails on request.
        .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
        .testTarget(name: "LatchkeySecretsTests", dependencies: ["LatchkeySecrets", "TestSupport"]),
        .testTarget(name: "LatchkeyTextTests", dependencies: ["LatchkeyText", "LatchkeySecrets", "TestSupport"]),
        .testTarget(
            name: "LatchkeyHTTPTests",
            dependencies: ["LatchkeyHTTP", "LatchkeySecrets", "LatchkeySystem", "TestSupport"]),
        .testTarget(name: "LatchkeySystemTests", dependencies: ["LatchkeySystem", "LatchkeySecrets", "TestSupport"]),
        .testTarget(
            name: "LatchkeyFormsTests",
            dependencies: ["LatchkeyForms", "LatchkeyText", "LatchkeySecrets", "TestSupport"]),
        .testTarget(
            name: "LatchkeyAccountsTests",
            dependencies: [
                "LatchkeyPasskeys", "LatchkeyAccounts", "LatchkeyProvisioning", "LatchkeyForms", "LatchkeySystem",
                "LatchkeySecrets", "TestSupport",
            ]),
        .testTarget(
            name: "LatchkeyPasskeysTests",
            dependencies: ["LatchkeyPasskeys", "LatchkeyAccounts", "LatchkeySecrets", "PasskeyCases", "TestSupport"]),
        .testTarget(
            name: "LatchkeyOpenIDTests",
            dependencies: [
                "LatchkeyOpenID", "LatchkeyPublicKeys", "LatchkeyForms", "LatchkeySecrets", "LatchkeyTesting",
                "TestSupport",
            ], path: "Tests/OpenID"),
        .testTarget(
            name: "LatchkeyPublicKeysTests",
            dependencies: ["LatchkeyPublicKeys", "LatchkeySecrets", "LatchkeyTesting", "TestSupport", "CHogweed"]),
        // Shared by scripts/check-passkeys and a test.
        .target(
            name: "PasskeyCases", dependencies: ["LatchkeyPasskeys", "LatchkeyAccounts", "LatchkeySecrets"],
            path: "Tests/PasskeyCases"),
        .executableTarget(
            name: "passkey-verdicts", dependencies: ["LatchkeyAccounts", "PasskeyCases"], path: "Tests/PasskeyVerdicts"),
        .testTarget(
            name: "LatchkeyProvisioningTests",
            dependencies: [
                "LatchkeyProvisioning", "LatchkeyHashing", "LatchkeyAccounts", "LatchkeyForms", "LatchkeyText",
                "LatchkeySystem", "LatchkeySecrets", "TestSupport",
            ]),
        .testTarget(
            name: "LatchkeyFlowsTests",
            dependencies: [
                "LatchkeyFlows", "LatchkeyForms", "LatchkeySystem", "LatchkeySecrets", "TestSupport", "EventBurst",
            ]),
        // Shared by scripts/bench events and a test.
        .target(
            name: "EventBurst", dependencies: ["LatchkeyFlows", "LatchkeyForms", "LatchkeySystem"],
            path: "Tests/EventBurst"),
        .testTarget(
            name: "LatchkeyHashingTests",
            dependencies: ["LatchkeyHashing", "LatchkeyAccounts", "LatchkeySystem", "LatchkeySecrets", "TestSupport"]),
        .testTarget(
            name: "LatchkeySQLiteTests",
            dependencies: [
                "LatchkeySQL",
                "LatchkeySQLite", "LatchkeyProvisioning", "LatchkeyAccounts", "LatchkeyForms", "LatchkeySystem",
                "LatchkeySecrets", "TestSupport", "CSQLite", "CFaultVFS",
            ]),
        .testTarget(
            name: "LatchkeyPostgresTests",
            dependencies: [
                "LatchkeySQL",
                "LatchkeyPostgres", "LatchkeySQLite", "LatchkeyAccounts", "LatchkeyForms", "LatchkeySystem",
                "LatchkeySecrets",
                "TestSupport",
            ]),
        .testTarget(
            name: "LatchkeyNetworkingTests",
            dependencies: [
                "LatchkeyServer", "LatchkeyRemote", "LatchkeyNetworking", "LatchkeyHTTP", "LatchkeyFlows",
                "LatchkeyAccounts", "LatchkeyForms", "LatchkeySystem", "LatchkeySecrets", "TestSupport",
            ]),
        .testTarget(
            name: "LatchkeyWebTests",
            dependencies: ["LatchkeyWeb", "LatchkeyForms", "LatchkeyText", "LatchkeySecrets", "TestSupport"]),
        .testTarget(
            name: "LatchkeyServerTests",
            dependencies: [
                "LatchkeyServer", "LatchkeyWeb", "LatchkeyOpenID", "LatchkeyPublicKeys", "LatchkeyHTTP",
                "LatchkeyFlows", "LatchkeyAccounts", "LatchkeyForms",
                "LatchkeySecrets",
                "LatchkeySystem",
                "TestSupport",
            ]),
        .testTarget(
            name: "LatchkeyRemoteTests",
            dependencies: [
                "LatchkeyRemote", "LatchkeyNetworking", "LatchkeyFlows", "LatchkeyAccounts", "LatchkeyForms",
                "LatchkeySystem", "LatchkeySecrets", "TestSupport",
            ]),
        .testTarget(
            name: "LatchkeyTerminalTests",
            dependencies: [
                "LatchkeyTerminal", "LatchkeyFlows", "LatchkeyForms", "LatchkeyText", "LatchkeySystem",
                "LatchkeySecrets", "TestSupport",
            ]),
        .testTarget(
            name: "LatchkeyCommandLineTests",
            dependencies: [
                "LatchkeyCommandLine", "LatchkeyNetworking", "LatchkeyHashing", "LatchkeyFlows", "LatchkeyAccounts",
                "LatchkeyForms", "LatchkeyText", "LatchkeySystem", "LatchkeySecrets", "TestSupport",
            ]),
        // `latchkey` with one more migration, for tests.
        .executableTarget(
            name: "latchkey-next",
            dependencies: [
                "LatchkeyCommandLine", "LatchkeyPostgres", "LatchkeySQL", "LatchkeyAccounts", "TestSupport",
            ], path: "Tests/NextVersion"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "latchkey", "latchkey-service", "latchkey-next", "latchkey-bench", "sample", "LatchkeyForms",
                "LatchkeyAccounts", "LatchkeySecrets", "LatchkeySystem", "TestSupport",
            ],
            path: "Tests/EndToEnd"),

        // Example programs, which use public declarations only. docs/tutorials builds them step by step.
        .executableTarget(
            name: "chat",
            dependencies: [
                "LatchkeyCommandLine", "LatchkeyTerminal", "LatchkeySQLite", "LatchkeyFlows", "LatchkeyAccounts",
                "LatchkeyText", "LatchkeySystem", "LatchkeySecrets",
            ],
            path: "Examples/Chat/Sources", packageAccess: false),
        .testTarget(
            name: "ChatTests",
            dependencies: [
                "chat", "LatchkeyCommandLine", "LatchkeyTerminal", "LatchkeySQLite", "LatchkeyFlows",
                "LatchkeyAccounts", "LatchkeySystem", "LatchkeySecrets", "LatchkeyTesting",
            ],
            path: "Examples/Chat/Tests", packageAccess: false),
        .executableTarget(
            name: "guestbook",
            dependencies: [
                "LatchkeyCommandLine", "LatchkeyTerminal", "LatchkeySQLite", "LatchkeyFlows", "LatchkeyForms",
                "LatchkeySecrets",
            ],
            path: "Examples/GuestBook/Sources", packageAccess: false),
        .testTarget(
            name: "GuestBookTests",
            dependencies: ["guestbook", "LatchkeyTerminal", "LatchkeyFlows", "LatchkeyForms", "LatchkeyTesting"],
            path: "Examples/GuestBook/Tests", packageAccess: false),
        .executableTarget(
            name: "scoreboard",
            dependencies: [
                "LatchkeyCommandLine", "LatchkeyTerminal", "LatchkeySQLite", "LatchkeyFlows", "LatchkeyAccounts",
                "LatchkeyForms", "LatchkeyText", "LatchkeySystem", "LatchkeySecrets",
            ],
            path: "Examples/Scoreboard/Sources", packageAccess: false),
        .testTarget(
            name: "ScoreboardTests",
            dependencies: [
                "scoreboard", "LatchkeyTerminal", "LatchkeySQLite", "LatchkeyAccounts", "LatchkeyForms",
                "LatchkeySecrets", "LatchkeyTesting",
            ],
            path: "Examples/Scoreboard/Tests", packageAccess: false),
        .executableTarget(
            name: "todo",
            dependencies: [
                "LatchkeyCommandLine", "LatchkeyTerminal", "LatchkeySQLite", "LatchkeyFlows", "LatchkeyAccounts",
                "LatchkeyForms", "LatchkeyText", "LatchkeySystem", "LatchkeySecrets",
            ],
            path: "Examples/Todo/Sources", packageAccess: false),
        .testTarget(
            name: "TodoTests",
            dependencies: [
                "todo", "LatchkeyCommandLine", "LatchkeyTerminal", "LatchkeySQLite", "LatchkeyFlows",
                "LatchkeyAccounts", "LatchkeyForms", "LatchkeySystem", "LatchkeySecrets", "LatchkeyTesting",
            ],
            path: "Examples/Todo/Tests", packageAccess: false),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x,
    cxxLanguageStandard: .cxx17)

// Fuzz targets for the parsers of external input. The tests run them on their seeds. scripts/fuzz builds them in a separate
// folder for libFuzzer, which has its own `main`.
let fuzzed: [Target.Dependency] = [
    "LatchkeySQL", "LatchkeyCommandLine", "LatchkeyTerminal", "LatchkeyProvisioning", "LatchkeyPasskeys",
    "LatchkeyOpenID", "LatchkeyPublicKeys", "LatchkeySQLite",
    "LatchkeyHashing", "LatchkeyFlows", "LatchkeyAccounts", "LatchkeyForms", "LatchkeyText", "LatchkeySystem",
    "LatchkeySecrets",
]
if Context.environment["LATCHKEY_FUZZING"] == nil {
    package.targets.append(
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed + ["TestSupport"], path: "Tests/Fuzz", exclude: ["Runner", "Seeds"])
    )
} else {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: fuzzed, path: "Tests/Fuzz", exclude: ["Suite", "Seeds"],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}

if Context.environment["LATCHKEY_BENCH"] != nil {
    package.targets.append(
        .executableTarget(
            name: "event-bench", dependencies: ["EventBurst", "LatchkeySystem"], path: "Bench/event-bench"))
}

/// The folders of `Sources`, each with its targets.
let groups: KeyValuePairs = [
    "Base": ["LatchkeySecrets", "LatchkeySystem", "LatchkeyText"],
    "Forms": ["LatchkeyForms"],
    "Accounts": ["LatchkeyAccounts", "LatchkeyHashing", "LatchkeyOpenID", "LatchkeyPasskeys", "LatchkeyPublicKeys"],
    "Flows": ["LatchkeyFlows", "LatchkeyNetworking"],
    "Stores": ["LatchkeySQL", "LatchkeySQLite", "LatchkeyPostgres"],
    "Fronts": ["LatchkeyTerminal", "LatchkeyWeb", "LatchkeyServer", "LatchkeyCommandLine", "LatchkeyProvisioning"],
    "Transports": ["LatchkeyHTTP", "LatchkeyRemote"],
    "Programs": ["latchkey", "latchkey-service"],
    "Testing": ["LatchkeyTesting"],
    "C": [
        "CArgon2", "CArgonKernel", "CBlocklist", "CCrypt", "CCurl", "CHogweed", "CIDN2", "CLinux", "CMicroHTTPD",
        "CNettle", "CPostgres", "CQREncode", "CRE2", "CSQLite", "CSodium", "CUnistring", "CZxcvbn",
    ],
]
for (folder, names) in groups {
    for target in package.targets where names.contains(target.name) { target.path = "Sources/\(folder)/\(target.name)" }
}

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
]
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}
