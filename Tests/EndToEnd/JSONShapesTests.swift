import Foundation
import LatchkeyForms
import TestSupport
import Testing

/// The output for programs: every command with `--json` on a real store, checked against the schemas of docs/json.md.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct JSONShapesTests {
    /// A line of bash, its command, and the shapes of the lines that it prints. The last shape may repeat.
    struct Step: Sendable {
        let command: String
        let line: String
        let shapes: [String]
        var status: Int32 = 0

        init(_ command: String, _ line: String, _ shapes: String..., status: Int32 = 0) {
            self.command = command
            self.line = line
            self.shapes = shapes
            self.status = status
        }
    }

    private static let password = "printf '%s\\n' 'correct horse battery' | "
    private static let newPassword = "printf '%s\\n' 'a new long password' | "
    private static let code =
        "CODE=$(cat $(ls -t ~/.local/share/latchkey/outbox/new/* | head -n 1) | grep -xE '([0-9A-Z]{4}-){5}[0-9A-Z]{4}');"
    /// The code of the app that was set up last.
    private static let totp =
        "oathtool --totp -b \"$(grep -oE '\"secret\":\"[A-Z2-7 ]+' app.json | cut -d '\"' -f 4)\""
    private static let failure = "failure"

    /// One scenario, in order.
    private static let story: [Step] = [
        Step("setup", password + "latchkey setup --username ada --email ada@example.org --password-stdin", "answer"),
        Step("login", "printf 'wrong\\n' | latchkey login --username ada --password-stdin", failure, status: 1),
        Step("login", password + "latchkey login --username ada --password-stdin", "answer"),
        Step("whoami", "latchkey whoami", "answer"),
        Step("profile", "latchkey profile --email ada@new.example", "answer"),
        Step("profile", code + "printf '%s\\n' \"$CODE\" | latchkey profile --code-stdin", "answer"),
        Step("sessions list", "latchkey sessions list", "session"),
        Step(
            "sessions verify", "tail -n 1 ~/.local/state/latchkey/session | latchkey sessions verify",
            "sessions-verify"),
        Step("sessions create", "latchkey sessions create ada", "sessions-create"),
        Step("login", password + "latchkey login --username ada --password-stdin --print-token", "answer"),
        Step("tokens create", "latchkey tokens create --name ci --expires 90d", "tokens-create"),
        Step("tokens list", "latchkey tokens list", "token"),
        Step("invite", "latchkey invite Grace", "tokens-create"),
        Step(
            "tokens revoke", "latchkey tokens revoke $(latchkey tokens list | tail -n 1 | cut -d '\"' -f 4)",
            "tokens-revoke"),
        Step(
            "tokens revoke",
            "latchkey tokens revoke $(latchkey tokens list | cut -d '\"' -f 4)", "tokens-revoke"),
        Step("groups create", "latchkey groups create staff --title Staff", "groups-show"),
        Step("groups create", "latchkey groups create staff", failure, status: 76),
        Step("groups create", "latchkey groups create Staff", failure, status: 64),
        Step("groups add", "latchkey groups add staff ada", "groups-add"),
        Step("groups add", "latchkey groups add staff ada nobody", "groups-add", failure, status: 1),
        Step("groups remove", "latchkey groups remove staff ada", "groups-add"),
        Step("groups list", "latchkey groups list", "group"),
        Step("groups show", "latchkey groups show staff", "groups-show"),
        Step("groups show", "latchkey groups show nobody", failure, status: 1),
        Step("groups rename", "latchkey groups rename staff team", "groups-show"),
        Step("tokens create", "latchkey tokens create --name x --scope sign-up --group team", "tokens-create"),
        Step("groups delete", "latchkey groups delete team", failure, status: 1),
        Step("groups delete", "latchkey groups delete team --force", "success"),
        Step(
            "applications add", "latchkey applications add wiki --redirect https://wiki.example.org/cb",
            "applications-show"),
        Step(
            "applications add", "latchkey applications add wiki --redirect https://wiki.example.org/cb", failure,
            status: 76),
        Step("applications add", "latchkey applications add tool --public --grant device", "applications-show"),
        Step("device approve", "latchkey device approve BCDF-GHJK --yes", failure, status: 1),
        Step(
            "device approve",
            "\"$BINARY\" serve --listen unix:$HOME/socket >/dev/null 2>&1 & P=$!;"
                + " until CODE=$(curl -s --unix-socket ~/socket http://localhost/oauth/device -d client_id=tool"
                + " -d scope=openid | grep -oE '[B-Z]{4}-[B-Z]{4}' | head -n 1) && [ -n \"$CODE\" ]; do sleep 0.1; done;"
                + " kill $P; wait $P; latchkey device approve $CODE --yes", "device-approve"),
        Step("applications show", "latchkey applications show wiki", "applications-show"),
        Step("applications show", "latchkey applications show nothing", failure, status: 1),
        Step("applications explain", "latchkey applications explain wiki ada", "applications-explain"),
        Step("applications explain", "latchkey applications explain wiki nobody", failure, status: 1),
        Step("applications list", "latchkey applications list", "application"),
        Step("applications update", "latchkey applications update wiki --require aal2", "applications-update"),
        Step("applications update", "latchkey applications update wiki --redirect /cb", failure, status: 65),
        Step("applications secret", "latchkey applications secret wiki", "applications-update"),
        Step("applications secret", "latchkey applications secret wiki --retire", "applications-update"),
        Step("applications disable", "latchkey applications disable wiki", "applications-update"),
        Step("applications enable", "latchkey applications enable wiki", "applications-update"),
        Step("applications unpin", "latchkey applications unpin wiki", "applications-update"),
        Step(
            "applications apply",
            "echo '{\"applications\":[{\"client_id\":\"wiki\",\"redirect_uris\":[\"https://wiki.example.org/\"]}]}'"
                + " > applications.json; latchkey applications apply applications.json",
            "application-change", "apply-summary"),
        Step("applications apply", "latchkey applications apply applications.json", "apply-summary"),
        Step("applications remove", "latchkey applications remove wiki --yes", "applications-update"),
        Step("openid keys rotate", "latchkey openid keys rotate --now", "signing-keys-rotate"),
        Step("openid keys list", "latchkey openid keys list", "signing-key"),
        Step(
            "openid keys retire",
            "latchkey openid keys retire $(latchkey openid keys list | cut -d '\"' -f 4)", "signing-keys-retire"),
        Step("openid keys retire", "latchkey openid keys retire nothing", failure, status: 1),
        Step("app-passwords create", "latchkey app-passwords create --name Mail", "app-passwords-create"),
        Step("app-passwords create", "latchkey app-passwords create --name ''", failure, status: 64),
        Step("app-passwords list", "latchkey app-passwords list", "app-password"),
        Step(
            "app-passwords revoke",
            "latchkey app-passwords revoke $(latchkey app-passwords list | cut -d '\"' -f 4)", "app-passwords-revoke"),
        Step("app-passwords revoke", "latchkey app-passwords revoke 00000000", failure, status: 1),
        Step("sessions revoke", "latchkey sessions revoke --others", "sessions-revoke"),
        Step("factors add", "latchkey factors add totp </dev/null | tee app.json", "factors-add"),
        Step("factors add", totp + " | latchkey factors add totp --code-stdin", "factors-add"),
        Step("factors list", "latchkey factors list", "factors-list"),
        Step("factors codes", "latchkey factors codes", "factors-add"),
        Step("login", password + "latchkey login --username ada --password-stdin", failure, status: 77),
        Step("factors remove", "latchkey factors remove --yes", "success"),
        Step("factors list", "latchkey factors list", "factors-list"),
        Step(
            "change-password",
            "printf '%s\\n' 'correct horse battery' 'a new long password'"
                + " | latchkey change-password --current-password-stdin --password-stdin", "answer"),
        Step("forgot-password", "latchkey forgot-password --email ada@new.example", "answer"),
        Step(
            "reset-password",
            code
                + "printf '%s\\n' \"$CODE\" 'a new long password' | latchkey reset-password --code-stdin --password-stdin",
            "answer"),
        Step(
            "login --batch",
            "printf '%s\\n' '{\"username\":\"ada\",\"password\":\"x\"}' '{\"username\":\"ada\",\"password\":\"a new long password\"}' '?'"
                + " | latchkey login --batch -", "login-verdict", "login-verdict", "login-verdict", "figures"),
        Step(
            "accounts create", password + "latchkey accounts create bob --email bob@example.org --password-stdin",
            "answer"),
        Step("accounts create", "latchkey accounts create eve --email eve@example.org --generate", "answer"),
        Step("accounts create", "latchkey accounts create bob --no-password", failure, status: 64),
        Step(
            "accounts create", "latchkey accounts create bob --email bob@example.org --no-password", failure, status: 76
        ),
        Step(
            "accounts create",
            "printf 'short\\n' | latchkey accounts create '' --email b --password-stdin", failure, status: 65),
        Step("accounts show", "latchkey accounts show bob", "accounts-show"),
        Step("accounts show", "latchkey accounts show eve", "accounts-show"),
        Step("accounts show", "latchkey accounts show nobody", failure, status: 1),
        Step("accounts list", "latchkey accounts list", "account"),
        Step("latchkey-bench lookup", "printf 'bob\\nnobody\\n' | bench lookup --batch -", "figures"),
        Step("accounts show", "latchkey accounts show bob nobody", "accounts-show", failure, status: 1),
        Step("accounts disable", "latchkey accounts disable bob", "success"),
        Step("accounts enable", "latchkey accounts enable bob", "success"),
        Step("accounts unlock", "latchkey accounts unlock bob", "accounts-unlock"),
        Step("accounts reset-factors", "latchkey accounts reset-factors bob", "success"),
        Step("accounts require-change", "latchkey accounts require-change bob", "success"),
        Step("login", password + "latchkey login --username bob --password-stdin", failure, status: 77),
        Step("accounts set-password", newPassword + "latchkey accounts set-password bob --password-stdin", "success"),
        Step("accounts set-password", "latchkey accounts set-password bob --generate", "generated-password"),
        Step("accounts recover", "latchkey accounts recover bob", "accounts-recover"),
        Step("accounts recover", "latchkey accounts recover bob --send", "mail-sent"),
        Step("accounts delete", "latchkey accounts delete eve --yes", "success"),
        Step("accounts update", "latchkey accounts update bob --email bob@new.example", "accounts-update"),
        Step(
            "accounts import",
            "printf '%s\\n' '{\"username\":\"jo\",\"email\":\"jo@example.org\"}' > in.jsonl;"
                + " latchkey accounts import in.jsonl --report verdicts", "import-summary"),
        Step("accounts import --report", "cat verdicts", "import-verdict"),
        Step(
            "accounts import",
            "echo '{\"username\":\"\"}' > bad.jsonl; latchkey accounts import bad.jsonl --report refused", failure,
            status: 65),
        Step("accounts import --report", "cat refused", "import-verdict"),
        Step("accounts export", "latchkey accounts export out.jsonl", "export-summary"),
        Step(
            "accounts apply",
            "echo '{\"accounts\":[{\"username\":\"jo\",\"email\":\"jo@new.example\"}]}' > want.json;"
                + " latchkey accounts apply want.json", "desired-change", "apply-summary"),
        Step("accounts apply", "latchkey accounts apply want.json", "apply-summary"),
        Step("audit list", "latchkey audit list", "audit-record"),
        Step(
            "audit follow",
            "exec 3< <(latchkey audit follow --since 2020-01-01); read -r line <&3; kill $!; printf '%s\\n' \"$line\"",
            "audit-record"),
        Step("audit verify", "latchkey audit verify", "audit-verify"),
        Step(
            "audit verify", "printf '999 %064d\\n' 0 > heads; latchkey audit verify --anchor heads", failure, status: 1),
        Step("audit head", "latchkey audit head", "audit-head"),
        Step("store maintain", "latchkey store maintain", "store-maintain"),
        Step("store check", "latchkey store check", "store-check"),
        Step("doctor", "latchkey doctor", "store-check"),
        Step("store backup", "latchkey store backup ./copy", "store-backup"),
        Step("store backup", "latchkey store backup ./copy", failure, status: 73),
        Step("FILE.json", "cat copy.json", "backup-manifest"),
        Step("store restore", "latchkey store restore ./copy --store ./other.sqlite", "store-restore"),
        Step("store migrate", "latchkey store migrate", "store-migrate"),
        Step("store copy", "mkdir -m 700 moved; latchkey store copy --to moved/accounts.sqlite", "store-copy"),
        Step("store check", "mkdir apart; cp copy apart; latchkey store check --store apart/copy", failure, status: 1),
        Step("policy show", "latchkey policy show", "policy-show"),
        Step("policy test", password + "latchkey policy test --username ada --password-stdin", "policy-test"),
        Step("blocklist import", "printf 'secret1\\n' | latchkey blocklist import -", "blocklist-import"),
        Step("mailer test", "latchkey mailer test ada@example.org", "mail-sent"),
        Step("forms list", "latchkey forms list", "forms-list"),
        Step("forms show", "latchkey forms show setup", "form"),
        Step("messages export", "latchkey messages export pt", "messages-export"),
        Step("messages check", "latchkey messages check \(languages)/pt.json", "messages-check"),
        Step("messages check", "echo '{}' > de.json; latchkey messages check de.json", failure, status: 78),
        Step("forms check", "mkdir forms; cp \(forms)/login.json forms; latchkey forms check forms", "forms-check"),
        Step("forms check", "echo '{}' > forms/x.json; latchkey forms check forms", failure, status: 78),
        Step(
            "forms try", "latchkey forms try \(forms)/forgot-password.json --email ada@example.org", "forms-try"),
        Step(
            "validate",
            "printf '%s\\n' '{\"id\":1,\"rule\":\"email\",\"args\":{},\"value\":\"ada@example.org\"}'"
                + " '{\"id\":2,\"rule\":\"email\",\"args\":{},\"value\":\"a\"}' '{\"id\":3,\"rule\":\"x\",\"args\":{},\"value\":\"\"}' x"
                + " | latchkey validate --jsonl", "rule-verdict"),
        Step(
            "validate",
            "printf '%s\\n' '{\"id\":1,\"values\":{\"email_field\":\"ada@example.org\"}}' '{\"id\":2,\"values\":{}}' x"
                + " | latchkey validate --form forgotPassword --jsonl", "form-verdict"),
        Step("hash calibrate", "latchkey hash calibrate --target-ms 50", "hash-calibrate"),
        Step(
            "hash inspect",
            "printf '$2b$05$%s%s\\n' abcdefghijklmnopqrstuu abcdefghijklmnopqrstuvwxyz01234 | latchkey hash inspect",
            "hash-inspect"),
        Step("hash inspect", "printf '$1$salt$aaaaaaaaaaaaaaaaaaaaaa\\n' | latchkey hash inspect", "hash-inspect"),
        Step("hash report", "latchkey hash report", "hash-count"),
        Step(
            "hash verify",
            "printf '%s\\n' '{\"id\":1,\"hash\":\"$2b$05$x\",\"password\":\"x\"}' x | latchkey hash verify --jsonl",
            "hash-verdict"),
        Step("latchkey-bench hash", "bench hash --memory 19456 --iterations 2 --count 1", "figures"),
        Step("pepper add", "latchkey pepper add", "pepper-add"),
        Step("pepper rotate", "latchkey pepper rotate", "pepper-rotate"),
        Step("pepper status", "latchkey pepper status", "pepper-status"),
        Step("pepper add", "latchkey pepper add", "pepper-add"),
        Step("pepper rotate", "latchkey pepper rotate", "pepper-rotate"),
        Step(
            "pepper retire",
            "KEY=$(latchkey pepper status | grep -oE '[0-9a-f]{16}' | head -n 1); latchkey pepper retire $KEY",
            "success"),
        Step("config show", "latchkey config show", "config-show"),
        Step("config check", "latchkey config check", "success"),
        Step("config set", "latchkey config set sender desk@example.org", "config-change"),
        Step("config set", "latchkey config set nothing x", failure, status: 64),
        Step("config unset", "latchkey config unset sender", "config-change"),
        Step("config check", "LATCHKEY_HASH_MEMORY=much latchkey config check", failure, status: 78),
        Step("config show", "LATCHKEY_HASH_MEMORY=much latchkey config show", failure, status: 78),
        Step("metrics", "latchkey metrics", "text"),
        Step(
            "serve",
            """
            exec 4< <(exec "\(Sandbox.binary.path)" serve --listen 127.0.0.1:0 --json --quiet)
            service=$!; read -r line <&4; kill -TERM $service; wait $service; printf '%s\\n' "$line"
            """, "serve"),
        Step(
            "health",
            "\"$BINARY\" serve --listen unix:$HOME/socket >/dev/null 2>&1 & P=$!;"
                + " until \"$BINARY\" health --server unix:$HOME/socket >/dev/null 2>&1; do sleep 0.1; done; latchkey health --server unix:$HOME/socket; S=$?;"
                + " kill $P; wait $P; exit $S", "health"),
        Step("health", "latchkey health --server unix:$HOME/nothing", failure, status: 69),
        Step("openapi", "latchkey openapi", "openapi"),
        Step("completions", "latchkey completions fish", "text"),
        Step("manual", "latchkey manual", "text"),
        Step("--help", "latchkey --help", "text"),
        Step("--version", "latchkey --version", "text"),
        Step("help", "latchkey help accounts create", "text"),
        Step("version", "latchkey version", "text"),
        Step("delete-account", newPassword + "latchkey login --username ada --password-stdin", "answer"),
        Step(
            "delete-account", newPassword + "latchkey delete-account --current-password-stdin", "answer"),
        Step("logout", "latchkey logout", "success"),
        Step("whoami", "latchkey whoami", failure, status: 1),
        Step("accounts list", "latchkey accounts list --store ./none.sqlite", failure, status: 66),
        Step(
            "accounts list", "printf x > junk; chmod 600 junk; latchkey accounts list --store junk", failure, status: 74
        ),
        Step(
            "login",
            "for i in 1 2 3 4; do printf 'wrong\\n' | latchkey login --username bob --password-stdin >/dev/null 2>&1; done;"
                + " sqlite3 ~/.local/share/latchkey/accounts.sqlite 'UPDATE throttle_identifier SET failures = 13';"
                + " printf 'wrong\\n' | latchkey login --username bob --password-stdin", failure, status: 75),
    ]

    private static let forms = Sandbox.shippedForm("login").deletingLastPathComponent().path
    private static let languages = SourceTree.path(of: "Languages")

    @Test func `every command prints JSON that matches its schema`() throws {
        let shapes = try JSONShapes()
        let sandbox = try Sandbox()
        var golden: [String] = []
        var used: Set<String> = []
        var printed: [String: Set<String>] = [:]
        for step in Self.story {
            let ending = try sandbox.shell(
                """
                BINARY="\(Sandbox.binary.path)"
                latchkey() { "$BINARY" "$@" --json; }
                bench() { "\(Sandbox.benchmarks.path)" "$@" --json; }
                \(step.line)
                """)
            #expect(ending.status == step.status, "\(step.line): \(ending.stdout) \(ending.stderr)")
            let lines = ending.stdout.split(separator: "\n")
            #expect(!lines.isEmpty, "\(step.line)")
            for (index, line) in lines.enumerated() {
                let name = step.shapes[min(index, step.shapes.count - 1)]
                used.insert(name)
                try shapes.expect(line, name)
            }
            printed[step.command, default: []].formUnion(try lines.flatMap(JSONShapes.members))
            let outlines = Set(try lines.map(JSONShapes.outline)).sorted()
            golden += outlines.map { "\(step.command) \(step.status): \($0)" }
        }
        try Golden.expect(golden.joined(separator: "\n") + "\n", "json/shapes.txt")
        #expect(Set(shapes.names).subtracting(used).subtracting(Self.parts) == [])
        try expectEverythingOfRelease01(in: printed)
    }

    /// Expects every member that version 0.1 printed, with its type, because programs depend on them.
    private func expectEverythingOfRelease01(in printed: [String: Set<String>]) throws {
        let lines = try String(decoding: Fixture.contents(of: "0.1/json.jsonl"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 83)
        for line in lines {
            let object = try JSONReader.read(Array(line.utf8)).value
            let command = try #require(object["command"]?.string)
            guard !Self.retired.contains(command) else { continue }
            let before = try JSONShapes.members(of: #require(object["line"]).encoded)
            #expect(before.subtracting(printed[command] ?? []) == [], "\(command)")
        }
    }

    /// Commands of version 0.1 that are no longer part of the program.
    private static let retired: Set<String> = ["accounts lookup", "hash bench", "replay"]

    /// Schemas that others refer to.
    private static let parts: Set = ["row-problem", "failed-logins", "line-error", "setting"]

    /// Commands without JSON output.
    private static let without: Set = ["run", "checkpassword", "forms preview"]

    @Test func `every command has a schema, and the document lists it`() throws {
        let sandbox = try Sandbox()
        let names = try sandbox.commands()
        let groups = Set(names.compactMap { name in name.lastIndex(of: " ").map { String(name[..<$0]) } })
        let document = String(decoding: try SourceTree.contents(of: "docs/json.md"), as: UTF8.self)
        let told = Set(Self.story.map(\.command))
        for name in names where !groups.contains(name) && !Self.without.contains(name) {
            #expect(told.contains(name), "\(name)")
            #expect(document.contains("`\(name)"), "\(name)")
        }
        for name in try JSONShapes().names { #expect(document.contains("(schemas/\(name).json)"), "\(name)") }
    }

    @Test func `every schema has a name and a description, and permits additional members`() throws {
        let shapes = try JSONShapes()
        for name in shapes.names {
            let schema = try #require(shapes[name])
            #expect(!schema.encoded.contains(#""additionalProperties":false"#), "\(name)")
            #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
            #expect(schema["$id"]?.string == name + ".json")
            #expect(schema["description"]?.string?.isEmpty == false)
        }
    }
}
