import Foundation
import TestSupport
import Testing

/// The jobs that the guide shows for other programs, run in the minimal environment of those programs.
@Suite(.programs, .timeLimit(.minutes(60))) struct OperatorExampleTests {
    private static let folder = Sandbox.binary.deletingLastPathComponent().path
    private static let user = (try? Sandbox().run("/usr/bin/id", "-un").stdout.trimmingCharacters(in: .newlines)) ?? ""

    /// The guide's code block in the given language.
    static func block(_ language: String) throws -> String {
        let guide = String(decoding: try SourceTree.contents(of: "docs/cli.md"), as: UTF8.self)
        let blocks = guide.components(separatedBy: "\n```" + language + "\n").dropFirst()
        try #require(blocks.count == 1, "\(language)")
        return try #require(blocks.first?.components(separatedBy: "\n```").first)
    }

    /// An example with the paths of the sandbox instead of the system's.
    static func local(_ text: String, _ sandbox: Sandbox) -> String {
        text.replacing("/usr/local/bin", with: folder).replacing("/etc/latchkey", with: sandbox.folder.path + "/etc")
            .replacing("/var/lib/latchkey", with: sandbox.folder.path + "/lib")
    }

    /// Runs a program with these variables only.
    private func run(_ arguments: [String], _ variables: [String], _ sandbox: Sandbox) throws -> Sandbox.Ending {
        try Program(
            path: "/usr/bin/env", arguments: ["-i"] + variables + arguments, input: Data(), environment: [:],
            folder: URL(filePath: "/")
        ).run()
    }

    private func folder(_ name: String, in sandbox: Sandbox) throws {
        try FileManager.default.createDirectory(
            at: sandbox.folder.appending(path: name), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// Starts a program as another user who owns these files, or as the current user if that is not root.
    private func anotherUser(owning names: [String], _ sandbox: Sandbox) throws -> [String] {
        guard geteuid() == 0 else { return [] }
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: sandbox.folder.path)
        for name in names {
            #expect(unsafe chown(sandbox.folder.appending(path: name).path, Self.otherUser, Self.otherUser) == 0)
        }
        let id = String(Self.otherUser)
        return ["/usr/bin/setpriv", "--reuid", id, "--regid", id, "--clear-groups"]
    }

    private static let otherUser: uid_t = 4711

    /// The file that the cloud-init example writes.
    private func writeAccounts(_ sandbox: Sandbox) throws {
        let example = try Self.block("yaml")
        let content = try #require(example.firstMatch(of: /content: \|\n(.*?)\nruncmd:/.dotMatchesNewlines())).output.1
        try folder("etc", in: sandbox)
        let file = sandbox.folder.appending(path: "etc/accounts.json")
        try Data(content.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    /// S-143.
    @Test func `the cron job runs in cron's environment and is silent when nothing changes`() throws {
        let sandbox = try Sandbox()
        try writeAccounts(sandbox)
        try folder("lib", in: sandbox)
        let lines = try Self.block("cron").split(separator: "\n").map(String.init)
        // Follows crontab(5) for files in /etc/cron.d.
        let variables = lines.filter { $0.prefix { $0 != " " }.contains("=") }
        #expect(variables == ["PATH=/usr/local/bin:/usr/bin:/bin"])
        let job = try #require(lines.last)
        let fields = job.split(separator: " ", maxSplits: 6).map(String.init)
        #expect(fields[5] == "latchkey", "the owner of the store, as in the other examples")
        let user = try anotherUser(owning: ["lib", "etc", "etc/accounts.json"], sandbox)
        // That user may not have access to the tests' folder.
        let programs = sandbox.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: false)
        #expect(unsafe chmod(programs.path, 0o755) == 0)
        try ExecutableFile.copy(Sandbox.binary, to: programs.appending(path: "latchkey"))
        func here(_ text: String) -> String {
            Self.local(text, sandbox).replacing(Self.folder, with: programs.path)
        }
        for expected in [["create ada"], []] as [[String]] {
            let ending = try run(
                user + ["/bin/sh", "-c", here(fields[6])],
                ["HOME=/nonexistent", "LOGNAME=latchkey", "SHELL=/bin/sh"]
                    + variables.map { here($0) }, sandbox)
            #expect(ending.status == 0 && ending.stderr.isEmpty, "\(ending.stderr)")
            #expect(ending.stdout == expected.map { $0 + "\n" }.joined())
        }
        let again = try run(
            user + ["/bin/sh", "-c", here(fields[6].replacing(" --quiet", with: ""))],
            variables.map { here($0) }, sandbox)
        #expect(again.stdout == "No changes\n")
    }

    /// S-142, S-143.
    @Test func `the cloud-init commands run in an empty environment`() throws {
        let sandbox = try Sandbox()
        try writeAccounts(sandbox)
        let example = try #require(Self.block("yaml").components(separatedBy: "\nruncmd:\n").last)
        let commands = example.matches(of: /- \[(.*?)\]/.dotMatchesNewlines()).map { match in
            match.output.1.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespacesAndNewlines).trimmingCharacters(in: ["\""])
            }
        }
        #expect(commands.map(\.first) == ["useradd", "install", "chown", "runuser"])
        for command in commands.dropFirst() {
            // The system has no such user, so the current user replaces it.
            var command = command.map { $0 == "latchkey" ? Self.user : Self.local($0, sandbox) }
            if command[0] == "runuser", geteuid() != 0 { command.removeFirst(4) }
            let ending = try run(command, ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"], sandbox)
            #expect(ending.status == 0, "\(command): \(ending.stderr)")
        }
        let store = sandbox.folder.path + "/lib/accounts.sqlite"
        #expect(try sandbox.latchkey("accounts", "list", "--store", store).stdout.contains("ada"))
    }

    /// S-142, S-143.
    @Test func `the dovecot command runs in an empty environment`() throws {
        let sandbox = try Sandbox()
        try folder("lib", in: sandbox)
        let example = Self.local(try Self.block("conf"), sandbox)
        let arguments = try #require(example.firstMatch(of: /args = (.*)\n/)).output.1
        #expect(example.contains("user = latchkey\n"))
        let store = sandbox.folder.path + "/lib/accounts.sqlite"
        let made = try sandbox.latchkey(
            "setup", "--username", "ada", "--email", "ada@example.org", "--password-stdin", "--store", store,
            input: "correct horse battery\n")
        try #require(made.status == 0, "\(made.stderr)")
        try Data("ada\0correct horse battery\0\0".utf8).write(to: sandbox.folder.appending(path: "three"))
        let ending = try sandbox.shell("exec env -i \(arguments) /usr/bin/env 3<\"$HOME/three\"")
        #expect(ending.status == 0 && ending.stderr.isEmpty, "\(ending.stderr)")
        #expect(ending.stdout.contains("USER=ada\n") && !ending.stdout.contains("HOME="))
    }

    /// S-142, S-143: for a user, who has a home folder, and for a service, which has a store.
    @Test func `the systemd service runs with the environment of systemd`() throws {
        let unit = String(decoding: try SourceTree.contents(of: "packaging/latchkey-maintain.service"), as: UTF8.self)
        let line = try #require(unit.firstMatch(of: /\nExecStart=(.*)\n/)).output.1
        let command = line.replacing("@BINDIR@", with: Self.folder).split(separator: " ").map(String.init)
        let sandbox = try Sandbox()
        let path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"
        #expect(try run(command, [path, "HOME=" + sandbox.folder.path], sandbox).status == 66)
        #expect(unit.contains("\nSuccessExitStatus=66\n"))
        try sandbox.setUp("ada")
        for variable in ["HOME=" + sandbox.folder.path, "LATCHKEY_STORE=" + sandbox.store.path] {
            let ending = try run(command, [path, variable], sandbox)
            #expect(ending.status == 0 && ending.stderr.isEmpty, "\(variable): \(ending.stderr)")
        }
    }

    /// Commands that need a store, with their input.
    private static let commands: [(arguments: [String], input: String)] = [
        (["accounts", "list"], ""), (["accounts", "show", "ada"], ""), (["accounts", "export", "-"], ""),
        (["accounts", "create", "bo", "--email", "bo@example.org", "--no-password"], ""),
        (["accounts", "recover", "ada"], ""), (["audit", "list"], ""), (["audit", "verify"], ""),
        (["store", "check"], ""), (["store", "maintain"], ""), (["metrics"], ""), (["hash", "report"], ""),
        (["pepper", "status"], ""), (["config", "show"], ""), (["config", "check"], ""),
        (["forgot-password", "--email", "ada@example.org"], ""), (["mailer", "test", "ada@example.org"], ""),
        (["sessions", "create", "ada"], ""), (["sessions", "list", "--account", "ada"], ""),
        (["app-passwords", "list", "--account", "ada"], ""),
        (["policy", "test", "--password-stdin"], "a new long password\n"),
        (["login", "--batch", "-"], #"{"username":"ada","password":"correct horse battery"}"#),
        (["login", "--username", "ada", "--password-stdin", "--print-token"], "correct horse battery\n"),
    ]

    /// S-142.
    @Test func `without a home folder, only the commands that use a session file fail`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        var environment = sandbox.environment
        environment["HOME"] = nil
        func run(_ arguments: [String], _ input: String) throws -> Sandbox.Ending {
            try Program(
                path: Sandbox.binary.path, arguments: arguments, input: Data(input.utf8), environment: environment,
                folder: sandbox.folder
            ).run()
        }
        for (arguments, input) in Self.commands {
            let ending = try run(arguments + ["--store", sandbox.store.path], input)
            #expect(ending.status == 0, "\(arguments): \(ending.stderr)")
        }
        for (arguments, input) in [
            (["whoami"], ""), (["logout"], ""), (["run", "--", "true"], ""), (["sessions", "list"], ""), ([], ""),
            (["login", "--username", "ada", "--password-stdin"], "correct horse battery\n"),
        ] {
            let ending = try run(arguments + (arguments.first == "run" ? [] : ["--store", sandbox.store.path]), input)
            #expect(ending.status == 78 || arguments.isEmpty, "\(arguments): \(ending.stderr)")
            #expect(ending.status != 0)
        }
        let failed = try sandbox.latchkey("audit", "list", "--event", "authn_login_fail").stdout
        #expect(failed.isEmpty, "a login without a place for its session is refused before the password is verified")
    }
}
