import Foundation
import TestSupport
import Testing

/// Every example of `docs/commands.md` and `--help`, run in a shell with the files that it names.
@Suite(.programs, .timeLimit(.minutes(60))) struct CommandExampleTests {
    private static let examples: [String] = {
        let text = (try? SourceTree.contents(of: "docs/commands.md")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.matches(of: /\n```sh\n([\s\S]*?)\n```/).flatMap {
            $0.output.1.split(separator: "\n").map(String.init)
        }
    }()

    /// An account with two sessions, and the files of the examples.
    private static let home = Result {
        try StoreTemplate { sandbox in
            try sandbox.create("ada")
            let ending = try sandbox.shell(
                #"""
                set -euo pipefail
                umask 077
                printf '%s\n' 'correct horse battery' | latchkey login --username ada --password-stdin
                printf '%s\n' 'correct horse battery' | latchkey login --username ada --password-stdin --print-token >token
                latchkey sessions list --account ada --json | sed -nE '1s/.*"id":"([0-9a-f]{8})".*/\1/p' >session
                mkdir bin backups media etc
                latchkey audit head >media/heads
                printf '%s\n' '{"username":"ada","password":"correct horse battery"}' >logins.jsonl
                printf '%s\n' 'username,email' 'olga,olga@example.org' >people.csv
                printf '%s\n' '{"username":"piet","email":"piet@example.org"}' >people.jsonl
                printf '%s\n' 'Login,E-mail,Phone' 'quin,quin@example.org,+44 20 7946 0958' >staff.csv
                printf '%s\n' '{"accounts":[{"username":"ada"},{"username":"rosa","email":"rosa@example.org"}]}' >accounts.json
                printf '%s\n' '{"applications":[{"client_id":"tool","public":true,"redirect_uris":["http://127.0.0.1/cb"]}]}' \
                    >applications.json
                printf '%s\n' 'one that leaked' >passwords.txt
                printf '%s\n' 5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:10 >pwned-passwords.txt
                printf 'ada\0correct horse battery\0now\0' >three
                printf '%s\n' '#!/bin/sh' 'echo "ada:$HASH:19800:0:99999:7:::"' >bin/getent
                printf '%s\n' '#!/bin/sh' 'exec env' >bin/imapd
                chmod 700 bin/*
                """#)
            try #require(ending.status == 0, "\(ending.stderr)")
            for folder in ["Forms", "Languages"] {
                try FileManager.default.copyItem(
                    atPath: SourceTree.path(of: folder), toPath: sandbox.folder.appending(path: folder).path)
            }
            for form in ["setup", "forgot-password", "registration", "support"] {
                try FileManager.default.copyItem(
                    atPath: SourceTree.path(of: "Forms/\(form).json"),
                    toPath: sandbox.folder.appending(path: form + ".json").path)
            }
            // With a folder and a program that this machine has.
            let configuration = String(decoding: try SourceTree.contents(of: "packaging/config.json"), as: UTF8.self)
                .replacing("/etc/latchkey/forms", with: "Forms").replacing("\"sendmail\"", with: "\"tee\"")
            try sandbox.write(configuration, to: "etc/config.json")
        }
    }

    /// These commands prompt on a terminal. Elsewhere they exit with 64, and `TerminalTests` runs them.
    private static let asking: Set = [
        "latchkey", "latchkey --open forgot-password", "latchkey login", "latchkey login ada", "latchkey setup",
        "latchkey forgot-password",
        "latchkey reset-password", "latchkey change-password", "latchkey profile", "latchkey delete-account",
        "latchkey accounts set-password ada", "latchkey accounts delete ada", "latchkey factors remove",
        "latchkey policy test --username ada --email ada@example.org", "latchkey forms try setup.json",
        "latchkey forms preview registration.json", "latchkey device approve WDJB-MJHT",
        "latchkey forms preview support.json --lang pt",
    ]

    private static let newestCode =
        "; CODE=$(grep -hxE '([0-9A-Z]{4}-){5}[0-9A-Z]{4}' ~/.local/share/latchkey/outbox/new/* | tail -n 1)"

    /// Prints the code that an authenticator app would show for a new secret.
    private static let appCode =
        "latchkey factors add totp </dev/null >uri; CODE=$(oathtool --totp -b $(sed 's/.*secret=//; s/&.*//' uri))"
    private static let factor = appCode + #"; printf '%s\n' "$CODE" | latchkey factors add totp --code-stdin"#

    private static let wiki = "latchkey applications add wiki --redirect https://wiki.example.org/cb >/dev/null"

    /// The commands that a reader runs before an example.
    private static func before(_ example: String) -> String {
        switch example {
        case let line where line.hasPrefix("latchkey applications secret") && line.hasSuffix("--retire"):
            wiki + "; latchkey applications secret wiki >/dev/null"
        case let line
        where line.hasPrefix("latchkey applications ") && line.contains(" wiki") && !line.contains(" add "):
            wiki
        case let line where line.hasPrefix("latchkey openid keys retire"):
            "latchkey openid keys rotate --now; KID=$(latchkey openid keys list | cut -f 1)"
        case let line where line.contains(" --group "):
            (line.contains(" accounts create ") ? "rm -r .local; " : "") + "latchkey groups create staff admins"
        case let line where line.hasPrefix("latchkey groups ") && !line.contains(" create "):
            "latchkey groups create staff admins; latchkey accounts create grace --email g@example.org --no-password"
        case let line where line.contains("latchkey setup ") || line.contains("latchkey accounts create "):
            "rm -r .local"
        case let line where line.contains("reset-password --code-stdin"):
            "latchkey forgot-password --email ada@example.org" + newestCode
        case let line where line.contains("factors add totp --code-stdin"): appCode
        case let line where line.contains("login ada --password-stdin --code-stdin"):
            factor + "; latchkey factors codes >codes; CODE=$(head -n 1 codes)"
        case let line where line.hasPrefix("latchkey factors ") && !line.contains(" add "): factor
        case let line where line.contains("profile --code-stdin"):
            "export LATCHKEY_VERIFY_EMAIL=true; latchkey profile --email ada@new.example" + newestCode
        case "latchkey accounts update ada@example.org --username countess --json": "latchkey accounts disable ada"
        case "latchkey accounts delete ada bob --yes":
            "latchkey accounts create bob --email bob@example.org --no-password"
        case let line where line.hasPrefix("latchkey pepper rotate"): "latchkey pepper add"
        case let line where line.hasPrefix("latchkey pepper retire"):
            "KEY=$(latchkey pepper add --json | grep -oE '[0-9a-f]{16}'); latchkey pepper add"
        case let line where line.hasPrefix("latchkey tokens revoke"):
            "latchkey tokens create --name ci > /dev/null; latchkey tokens list | cut -f 1 > session"
        case let line where line.hasPrefix("latchkey app-passwords revoke"):
            "latchkey app-passwords create --name Mail > /dev/null; latchkey app-passwords list | cut -f 1 > session"
        case "latchkey store restore /var/backups/accounts-1.sqlite":
            "latchkey store backup backups/accounts-1.sqlite; rm .local/share/latchkey/accounts.sqlite"
        case "latchkey store restore ./copy --store ./new": "latchkey store backup ./copy"
        case let line where line.contains("store copy --store"): "latchkey store copy --to \(database)"
        default: ":"
        }
    }

    private static let database = "postgresql://db.example.org/accounts"

    /// The example with the paths, ids and database of the sandbox.
    private static func local(_ example: String) throws -> String {
        let address = example.contains(database) ? try PostgresServer.shared.get().newDatabase() : ""
        return [
            (database, "'\(address)'"),
            ("/var/lib/latchkey/", "~/.local/share/latchkey/"), ("/var/backups/", "~/backups/"),
            ("/media/usb/", "~/media/"), ("/etc/latchkey/", "~/etc/"), ("3f9a1c02", "$(cat session)"),
            ("0123456789abcdef", "$KEY"), ("pXr3TzZ0Tn2qT6VxJ9n0Yg", "$KID"),
        ].reduce(example) { $0.replacing($1.0, with: $1.1) }
    }

    private func run(_ script: String, _ sandbox: Sandbox) throws -> Sandbox.Ending {
        try Self.home.get().copy(to: sandbox)
        return try sandbox.shell(
            #"""
            set -euo pipefail
            export PATH=$HOME/bin:$PATH HASH='$2b$05$CCCCCCCCCCCCCCCCCCCCC.4c/Vz//sBM9XkyFmwsCP9HkrjK1U32S'
            PASSWORD='correct horse battery' OLD='correct horse battery' NEW='a new long password'
            TOKEN=$(cat token)
            exec 3<three
            \#(script)
            """#)
    }

    /// S-143.
    @Test(
        arguments: examples.filter { example in
            // `DeviceCommandTests` has a device, and `ServiceTests` a service.
            !example.contains(" audit follow") && !example.hasPrefix("latchkey health") && !example.contains(" serve")
                && !example.contains("WDJB-MJHT --yes")
                && (!example.contains(database) || PostgresServer.isInstalled)
        })
    func `each documented example of a command works`(example: String) throws {
        let sandbox = try Sandbox()
        let ending = try run(Self.local(Self.before(example) + "\n" + example), sandbox)
        #expect(ending.status == (Self.asking.contains(example) ? 64 : 0), "\(ending.stdout)\(ending.stderr)")
    }

    @Test func `the commands in the scaling guide are among the tested examples`() throws {
        let page = String(decoding: try SourceTree.contents(of: "docs/scale.md"), as: UTF8.self)
        let commands = page.matches(of: /\n```sh\n([\s\S]*?)\n```/).flatMap { $0.output.1.split(separator: "\n") }
        #expect(!commands.isEmpty && commands.allSatisfy { Self.examples.contains(String($0)) }, "\(commands)")
    }

    /// S-143.
    @Test(arguments: examples.filter { $0.contains(" serve") })
    func `an example of a server runs until it is stopped`(example: String) throws {
        let sandbox = try Sandbox()
        // A free port, and a socket in the sandbox.
        let local = example.contains("--listen") ? example : example + " --listen 127.0.0.1:0"
        let ending = try run(
            """
            exec 4< <(exec "\(Sandbox.binary.path)" \(local.dropFirst("latchkey ".count).replacing("unix:/run/latchkey", with: "unix:$HOME")))
            service=$!
            read -r line <&4
            kill -TERM $service
            wait $service
            printf '%s\\n' "$line"
            """, sandbox)
        #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
        #expect(ending.stdout.hasPrefix("Serving http"))
    }

    /// S-143.
    @Test(arguments: examples.filter { $0.contains(" audit follow") })
    func `an example that follows the audit trail prints new records`(example: String) throws {
        let sandbox = try Sandbox()
        let ending = try run(
            """
            exec 4< <(exec "\(Sandbox.binary.path)" \(example.dropFirst("latchkey ".count)))
            follower=$!
            # A line may arrive in parts.
            until read -r -t 0.1 part <&4 && line+=$part; do
                line+=$part
                printf '%s\\n' wrong | latchkey login --username ada --password-stdin 2>/dev/null || true
            done
            kill $follower
            printf '%s\\n' "$line"
            """, sandbox)
        let event = example.contains("excess") ? "excess_rate_limit_exceeded" : "authn_login_fail"
        #expect(ending.status == 0 && ending.stdout.contains(event), "\(ending.stdout)\(ending.stderr)")
    }

    @Test func `the command reference has more than a hundred examples`() { #expect(Self.examples.count > 100) }
}
