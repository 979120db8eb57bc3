import Foundation
import TestSupport
import Testing

/// The commands `applications` and `openid keys` as an operator runs them.
@Suite(.programs, .timeLimit(.minutes(60))) struct ApplicationCommandTests {
    private static let wiki = "latchkey applications add wiki --redirect https://wiki.example.org/cb >/dev/null 2>&1"

    private func run(_ script: String, in sandbox: Sandbox? = nil) throws -> Sandbox.Ending {
        try (sandbox ?? Sandbox()).shell(script)
    }

    // MARK: Settings

    /// S-222. The message names both settings, or the values that exist.
    @Test(
        arguments: [
            ("--public --introspect", 65, "--public excludes --introspect"),
            ("--public --consent skip", 65, "--public excludes --consent skip"),
            ("--public --pkce optional", 65, "--public excludes --pkce optional"),
            ("--public --secret-file secret", 64, "--secret-file"),
            ("--grant refresh", 65, "--grant refresh needs code or device"),
            ("--grant code --scope offline_access", 65, "--scope offline_access needs the grant refresh"),
            ("--scope openid,wrong", 65, "--scope wrong must be one of: openid, profile, email, groups,"),
            ("--consent never", 64, "--consent needs one of: ask, skip"),
            ("--require aal3", 64, "--require needs one of: aal1, aal2"),
            ("--grant code,password", 64, "--grant needs one of: code, refresh, device"),
            ("--algorithm none", 64, "--algorithm needs one of: RS256, ES256"),
            ("--pkce null", 64, "--pkce needs one of: required, optional"),
            ("--redirect http://intern/cb", 65, "; --allow-http permits it"),
            ("--redirect myapp:/cb", 65, "; --scheme myapp permits it"),
            ("--redirect javascript:alert(1)", 65, "must have the scheme https, or"),
            ("--scheme javascript", 65, "--scheme javascript must be a scheme"),
            ("--group Staff", 65, "--group Staff must be the name of a group"),
        ] as [(String, Int32, String)])
    func `settings that contradict each other or do not exist are refused`(
        flags: String, status: Int32, message: String
    ) throws {
        let sandbox = try Sandbox()
        try sandbox.write("a secret that is long enough\n", to: "secret")
        let quoted = flags.replacing("(1)", with: "'(1)'")
        let ending = try run(
            "latchkey applications add wiki --redirect https://wiki.example.org/cb \(quoted)", in: sandbox)
        #expect(ending.status == status && ending.stderr.contains(message), "\(ending.stderr)")
        #expect(!ending.stderr.contains("javascript permits it"))
        #expect(try run("latchkey applications show wiki", in: sandbox).status != 0)
    }

    /// S-222.
    @Test func `a change is checked with the stored settings, and can take each of them back`() throws {
        let sandbox = try Sandbox()
        let ending = try run(
            """
            exec 2>&1
            \(Self.wiki)
            latchkey applications update wiki --introspect
            latchkey applications update wiki --public
            latchkey applications update wiki --no-introspect --public
            latchkey applications show wiki --json | grep -o '"secrets":.'
            latchkey applications update wiki --no-introspect --public --drop-secrets
            latchkey applications show wiki --json | grep -o '"secrets":.'
            latchkey applications update wiki --consent skip
            latchkey applications update wiki --public --no-public
            latchkey applications update wiki --no-public --group staff --pkce required
            latchkey applications update wiki --group '' --pkce '' --scope ''
            latchkey applications show wiki --json | grep -oE '"(groups|pkce|scopes|public)":(\\[[^]]*\\]|[a-z]+)'
            """, in: sandbox)
        let lines = ending.stdout.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasPrefix("latchkey: --public excludes --introspect: ") }, "\(ending.stdout)")
        #expect(lines.contains { $0.contains("wiki has a secret") && $0.contains("--drop-secrets") })
        #expect(lines.filter { $0.hasPrefix("\"secrets\":") } == ["\"secrets\":1", "\"secrets\":0"])
        #expect(lines.contains { $0.hasPrefix("latchkey: --public excludes --consent skip") })
        #expect(lines.contains { $0.contains("There is no group staff yet") })
        #expect(
            lines.suffix(4).sorted() == [
                "\"groups\":[]", "\"pkce\":null", "\"public\":false", #""scopes":["openid","profile","email"]"#,
            ], "\(ending.stdout)")
    }

    // MARK: Files

    /// Files that `applications apply` refuses, with the message and its place.
    @Test(
        arguments: [
            ("", "1:1: The file is empty. It must be {\"applications\": [", "an empty file"),
            ("[{}]", "1:1: The file must be one object: {\"applications\": [", "an array"),
            (#"{"application":[]}"#, #"1:2: "application" is unknown. The file must be"#, "a misspelled key"),
            (#"{"applications":[],"version":1}"#, #"1:20: "version" is unknown"#, "an additional key"),
            (#"{"applications":{}}"#, "1:17: applications must be an array of objects, not an object", "an object"),
            (#"{"applications":[1]}"#, "1:18: applications must contain objects, not a number", "a number"),
            (#"{"applications":[{}]}"#, "1:18: client_id is missing", "no ID"),
            (
                #"{"applications":[{"client_id":7}]}"#, "1:31: client_id must be a string, not a number",
                "an ID of another type"
            ),
            (
                #"{"applications":[{"client_id":"wiki","redirect_uris":["https://a.example/"],"secret_file":""}]}"#,
                "wiki: secret_file must be the path of a file, not an empty string", "an empty path"
            ),
            (
                #"{"applications":[{"client_id":"wiki","public":true,"redirect_uris":["https://a.example/"],"claims":{"":"sub"}}]}"#,
                "wiki: claims must not have an empty name", "a claim without a name"
            ),
            (#"{"applications":[{"client_id":""}]}"#, "a.json:1:31: client_id must not be empty", "an empty ID"),
            (
                #"{"applications":[{"client_id":"w/k"}]}"#,
                #"1:31: w/k: The ID of an application has 1 to 128 letters, digits and - . _ ~: not "w/k""#, "a bad ID"
            ),
            (
                #"{"applications":[{"client_id":"wiki","disabled":"no","public":true,"redirect_uris":["https://a.example/"]}]}"#,
                "1:49: wiki: disabled must be true or false, not a string", "a state of another type"
            ),
            (
                #"{"applications":[{"client_id":"wiki","public":true,"redirect_uris":["https://a.example/",""]}]}"#,
                "1:52: wiki: redirect_uris must not contain an empty string, but element 2 is one", "an empty address"
            ),
            (
                #"{"applications":[{"client_id":"wiki","redirect_uri":["https://a.example/"]}]}"#,
                "1:38: wiki: There is no setting redirect_uri. Did you mean redirect_uris?", "a misspelled setting"
            ),
            (
                #"{"applications":[{"client_id":"wiki","consent":true}]}"#,
                "1:38: wiki: consent must not be true: it must be one of: ask, skip",
                "a setting of another type"
            ),
            (
                #"{"applications":[{"client_id":"wiki","public":true,"introspect":true}]}"#,
                "1:38: wiki: public excludes introspect: ", "a contradiction"
            ),
            (
                #"{"applications":[{"client_id":"wiki","public":true,"secret_file":"x","redirect_uris":["https://a.example/"]}]}"#,
                "1:52: wiki: secret_file excludes public: ", "a secret of a public application"
            ),
            (
                #"{"applications":[{"client_id":"wiki","redirect_uris":["https://a.example/"]}]}"#,
                "1:18: wiki: secret_file is missing", "no secret"
            ),
            (
                #"{"applications":[{"client_id":"wiki","public":true,"redirect_uris":["https://a.example/"],"claims":{"a":"role"}}]}"#,
                "wiki: claims a: role must be one of: sub, email, ", "a claim that does not exist"
            ),
            (
                #"{"applications":[{"client_id":"wiki","public":true,"redirect_uris":["https://a.example/"],"id_token_claims":["role"]}]}"#,
                "wiki: id_token_claims role must be one of: email, ", "a claim of the ID token that does not exist"
            ),
        ])
    func `a file that cannot be applied is explained at its place`(
        file: String, message: String, reason: String
    ) throws {
        let sandbox = try Sandbox()
        try sandbox.write(file, to: "a.json")
        let ending = try run("latchkey applications apply a.json", in: sandbox)
        #expect(ending.status == 65 && ending.stderr.contains("a.json:"), "\(reason): \(ending.stderr)")
        #expect(ending.stderr.contains(message), "\(reason): \(ending.stderr)")
    }

    @Test func `only a file with secrets is reported as readable by others`() throws {
        let sandbox = try Sandbox()
        let ending = try run(
            """
            exec 2>&1
            umask 022
            echo '{"applications":[{"client_id":"wiki","redirect_uris":["https://a.example/"],"secret_file":"wiki.secret"}]}' >a.json
            echo 'a secret that is long enough' >wiki.secret
            latchkey applications apply a.json
            """, in: sandbox)
        #expect(ending.status == 0, "\(ending.stdout)")
        #expect(ending.stdout.contains("wiki.secret can be read by other users"), "\(ending.stdout)")
        #expect(!ending.stdout.contains("a.json can be read"))
    }

    @Test func `a file disables and enables an application, or keeps its state`() throws {
        let sandbox = try Sandbox()
        func apply(_ member: String, _ flags: String = "") throws -> String {
            let application = #""client_id":"tool","public":true,"redirect_uris":["https://a.example/"]"#
            try sandbox.write(#"{"applications":[{\#(application)\#(member)}]}"#, to: "a.json")
            let ending = try run("latchkey applications apply a.json " + flags, in: sandbox)
            #expect(ending.status == 0, "\(ending.stderr)")
            return ending.stdout
        }
        func isDisabled() throws -> Bool {
            try sandbox.latchkey("applications", "show", "tool", "--json").stdout.contains(#""disabled":true"#)
        }
        #expect(try apply(#","disabled":true"#) == "create tool: disabled\n")
        #expect(try isDisabled())
        #expect(try apply("") == "No changes\n", "without the key, the application keeps its state")
        #expect(try apply(#","disabled":false"#, "--dry-run") == "update tool: disabled\n")
        #expect(try isDisabled())
        #expect(try apply(#","disabled":false"#) == "update tool: disabled\n")
        #expect(try !isDisabled())
        #expect(try apply(#","disabled":false"#) == "No changes\n")
        #expect(try sandbox.latchkey("applications", "disable", "tool").status == 0)
        #expect(try apply("") == "No changes\n" && isDisabled())
    }

    @Test func `the documented file is applied, and says which groups do not exist yet`() throws {
        let text = String(decoding: try SourceTree.contents(of: "docs/openid.md"), as: UTF8.self)
        let file = try #require(text.firstMatch(of: /```json\n(\{ "applications"[\s\S]*?)\n```/)).output.1
        let sandbox = try Sandbox()
        try sandbox.write(String(file), to: "applications.json")
        try sandbox.write("a secret that is long enough\n", to: "wiki.secret")
        let ending = try run("latchkey applications apply applications.json", in: sandbox)
        #expect(ending.status == 0 && ending.stdout == "create wiki\ncreate tool\n", "\(ending.stdout)\(ending.stderr)")
        #expect(ending.stderr.contains("There is no group staff yet"))
        #expect(try run("latchkey applications apply applications.json", in: sandbox).stdout == "No changes\n")
    }

    // MARK: Secrets and removal

    /// S-223.
    @Test(arguments: ["full() { latchkey \"$@\" >/dev/full; }", "full() { python3 closed.py \"$@\"; }"])
    func `a secret that cannot be printed is not stored`(output: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            """
            import os, subprocess, sys
            reading, writing = os.pipe()
            os.close(reading)
            sys.exit(subprocess.run(["\(Sandbox.binary.path)"] + sys.argv[1:], stdout=writing).returncode)
            """, to: "closed.py")
        let ending = try run(
            """
            \(output)
            full applications add lost --redirect https://a.example/cb; echo $?
            \(Self.wiki)
            full applications secret wiki
            full tokens create --name lost
            latchkey applications list --json | grep -oE '"(client_id|secrets)":[^,]*'
            latchkey tokens list
            """, in: sandbox)
        #expect(ending.stdout == "74\n\"client_id\":\"wiki\"\n\"secrets\":1\n", "\(ending.stdout)\(ending.stderr)")
        #expect(ending.stderr.matches(of: /could not be printed, so it was not stored/).count == 3, "\(ending.stderr)")
    }

    @Test func `an application is removed only with a confirmation`() throws {
        let sandbox = try Sandbox()
        let ending = try run(
            """
            \(Self.wiki)
            latchkey applications remove wiki </dev/null; echo $?
            latchkey applications list | cut -f 1
            latchkey applications remove wiki --yes
            """, in: sandbox)
        #expect(ending.stdout == "64\nwiki\nApplication wiki removed\n", "\(ending.stdout)\(ending.stderr)")
    }

    // MARK: Output

    @Test func `all settings of an application are shown, and never its secret`() throws {
        let sandbox = try Sandbox()
        let ending = try run(
            """
            latchkey groups create staff >/dev/null
            latchkey applications add wiki --redirect https://wiki.example.org/cb --group staff --consent skip \\
                --require aal2 --algorithm ES256 2>/dev/null | grep 'Client secret' | tr -s ' ' | cut -d ' ' -f 3
            latchkey applications secret wiki
            latchkey applications disable wiki
            latchkey applications show wiki --utc
            """, in: sandbox)
        let lines = ending.stdout.split(separator: "\n").map { String($0.replacing(#/ {2,}/#, with: ": ")) }
        for line in [
            "Groups: staff", "Consent: skip", "Required level: aal2", "Algorithm: ES256", "Grants: code refresh",
            "PKCE: optional until 10 logins have used it (0 so far)", "Secrets: 2", "State: disabled",
            "Last login: never",
        ] {
            #expect(lines.contains(line), "\(line): \(ending.stdout)")
        }
        #expect(lines.contains { $0.hasPrefix("Created: 20") })
        let shown = lines.drop { !$0.hasPrefix("Issuer") }
        for secret in lines.prefix(2) { #expect(secret.count == 43 && !shown.contains { $0.contains(secret) }) }
    }

    @Test func `a rotation says when the new key signs, and is not repeated while a key waits`() throws {
        let sandbox = try Sandbox()
        let ending = try run(
            """
            \(Self.wiki)
            latchkey openid keys rotate --now
            latchkey openid keys rotate
            latchkey openid keys rotate
            latchkey openid keys list | cut -f 3
            latchkey openid keys rotate --now
            latchkey openid keys list | cut -f 3
            """, in: sandbox)
        let lines = ending.stdout.split(separator: "\n").map { $0.replacing(/signing .*?Z/, with: "signing TIME") }
        #expect(
            lines == [
                "A new key signs from now on", "A new key is published, and starts signing TIME",
                "A new key is published already, and starts signing TIME. --now signs with another one at once",
                "signs",
                "published", "A new key signs from now on", "retired", "published", "signs",
            ], "\(ending.stdout)\(ending.stderr)")
    }

    @Test func `an argument that could be an operand is explained`() throws {
        let ending = try run("latchkey openid keys retire -Xr3TzZ0Tn2qT6VxJ9n0Yg")
        #expect(ending.status == 64 && ending.stderr.contains("write -- before KID"), "\(ending.stderr)")
    }

    /// The section of docs/openid.md about the API.
    @Test func `the documented calls of the API work`() throws {
        let text = String(decoding: try SourceTree.contents(of: "docs/openid.md"), as: UTF8.self)
        let script = try #require(text.firstMatch(of: /```sh\n([^`]*?curl[\s\S]*?)```/)).output.1
        let sandbox = try Sandbox()
        let service = try RunningService(in: sandbox)
        let path = Sandbox.binary.deletingLastPathComponent().path
        let ending = try service.run("set -eu\nexport PATH=\(path):$PATH\n" + script, "/bin/bash")
        #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
        for member in ["\"client_secret\":", "\"unknown_groups\":[\"staff\"]"] {
            #expect(ending.stdout.contains(member), "\(ending.stdout)")
        }
        #expect(try run("latchkey applications list", in: sandbox).stdout.isEmpty)
        service.running.signal(SIGTERM)
        #expect(try service.running.ending().status == 0)
    }
}
