import Glibc
import LatchkeyForms
import LatchkeySystem

/// `serve`: serves the accounts over HTTP. The program `latchkey-service` runs it, so that `latchkey` starts without
/// the libraries that only a service needs (docs/decisions/0039-two-programs.md).
enum ServeCommand {
    static let spec = CommandSpec(
        words: ["serve"], summary: "Serve the accounts over HTTP",
        about:
            "Serve sign-up, login, recovery and sessions over HTTP, as web pages and as an API. Creates the store"
            + " if there is none. Without flags, it is a trial on this machine alone. For others, put a proxy with TLS"
            + " in front and give --origin and --trusted-proxy. Ends by SIGTERM or Ctrl-C, after the requests at work.",
        flags: [
            FlagSpec(
                "listen", value: "ADDRESS",
                "Listen here: 127.0.0.1:PORT, [::1]:PORT, :PORT for all addresses, or unix:PATH [127.0.0.1:8421]",
                isRepeatable: true),
            FlagSpec(
                "socket-group", value: "GROUP",
                "Give the Unix sockets of --listen to GROUP; the service's user must be a member [the group of the process]"
            ),
            FlagSpec(
                "origin", value: "URL", "Where people reach the service, such as https://accounts.example.org"),
            FlagSpec(
                "insecure-origin", "Accept an http origin on a network, where passwords are not encrypted"),
            FlagSpec(
                "trusted-proxy", value: "NETWORK",
                "A proxy that names the client, such as 10.0.0.0/8, or unix for every peer of a Unix socket",
                isRepeatable: true),
            FlagSpec(
                "proxy-header", value: "NAME", of: .oneOf(["X-Forwarded-For", "Forwarded"]),
                "The header in which proxies name the client [X-Forwarded-For]"),
            FlagSpec(
                "return-origin", value: "NAME=URL",
                "A web site to which pages may send people back after a login, with or without its name",
                isRepeatable: true),
            FlagSpec(
                "cookie-domain", value: "DOMAIN",
                "Let the other hosts of DOMAIN verify a session: adds a cookie that only /verify accepts"),
            FlagSpec(
                "theme", value: "DIR",
                "Change the pages by theme.css, logo.svg or logo.png, footer.txt and terms.txt in DIR, at most 64 KiB each"
            ),
            FlagSpec(
                "metrics-listen", value: "ADDRESS",
                "Answer /healthz, /readyz and /metrics here, without a login [off]"),
            FlagSpec(
                "registration", value: "WHO", of: .oneOf(Setting.registration.choices ?? []),
                "Who may sign up: open, invited (see tokens create) or closed [open]"),
        ], hashesPasswords: true, readsForms: true, isOfService: true, writesLog: true,
        forOperators: true,
        statuses: [.done] + ExitStatus.ofStores,
        examples: [
            "latchkey serve",
            "latchkey serve --listen unix:/run/latchkey/http --trusted-proxy unix --origin https://accounts.example.org",
        ]
    ) { (context) async throws(ToolFailure) in
        guard let parts = context.parts else { throw .internal }
        return try await parts.serve(context)
    }
}
