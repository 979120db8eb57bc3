import Foundation
import TestSupport
import Testing

/// The site in `Examples/Web` behind real proxies that ask `/verify`.
@Suite(.programs, .timeLimit(.minutes(60))) struct WebExampleTests {
    private static let proxies = [("nginx", "/usr/sbin/nginx"), ("caddy", "/usr/bin/caddy")]
        .filter { FileManager.default.isExecutableFile(atPath: $0.1) }.map(\.0)

    /// S-162.
    @Test(arguments: proxies)
    func `a site behind a proxy learns only who is signed in`(proxy: String) throws {
        let sandbox = try Sandbox()
        let script = """
            set -euo pipefail
            # A free port: the system gives it away again only after many others.
            export PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
            export LATCHKEY="\(Sandbox.binary.path)" PATH=/usr/sbin:$PATH
            "\(SourceTree.path(of: "Examples/Web/start"))" \(proxy) >output 2>&1 &
            trap 'kill %1; wait' EXIT
            url=http://localhost:$PORT
            until curl -so /dev/null $url/login; do kill -0 %1; done
            ask() { curl -s -b jar -c jar -w '%{http_code} %{redirect_url}\\n' "$@"; }
            form() { ask -H "Origin: $url" "$@"; }
            ask "$url/notes" -H 'Remote-User: root'
            form "$url/setup" --data-urlencode 'email_field=ada@example.org' -d username=ada -d 'password=correct+horse+battery' \
                -d return=/notes
            ask "$url/notes" -H 'Remote-User: root' -H 'Remote-Email: root@example.org'
            for name in remote-user REMOTE_USER Remote_Id remote_Email Remote-User; do
                curl -s -o /dev/null -b jar "$url/notes" -H "$name: mallory"
            done
            token=$(grep -o 'lks_.*' jar)
            curl -s -o /dev/null "$url/notes" -H "Cookie: mine=1; latchkey=$token; yours=2"
            curl -s -o /dev/null "$url/notes" -H "Cookie: latchkey=$token; mine=1; latchkey=$token"
            ask "$url/verify"
            form "$url/logout" -X POST
            ask "$url/search?q=a+b&page=2"
            ask "$url/notes"
            # The site sees no header of a client under our names, and no variable of the proxy.
            grep -q '^site: Remote-User: ada' output
            ! grep -Eq 'mallory|http\\.reverse_proxy' output
            # The site never saw the token.
            ! grep -q "$token" output
            grep -q 'mine=1' output
            """
        // Ends the test if neither the script nor a proxy does.
        let ending = try RunningBinary(
            sandbox, [], through: ["/usr/bin/timeout", "--kill-after=5", "600", "/bin/bash", "-c", script, "bash"]
        ).ending()
        #expect(ending.status == 0, "\(ending.stdout)")
        // Without the pages of nginx.
        let lines = ending.stdout.split(whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("<") || $0.contains("Hello") }
            .map { $0.replacing(#/http:\/\/localhost:\d+/#, with: "") }
        #expect(lines.first?.hasPrefix("303 /login?return=") == true, "\(lines)")
        #expect(lines.contains { $0 == "303 /notes" }, "\(lines)")
        #expect(lines.contains { $0.contains("Hello, ada") && $0.hasSuffix("200 ") }, "\(lines)")
        #expect(!lines.contains { $0.contains("root") }, "\(lines)")
        #expect(lines.contains("303 /login?note=out"))
        #expect(lines.contains("303 /login?return=/search%3Fq%3Da%2Bb%26page%3D2"), "\(lines)")
        #expect(lines.last?.hasPrefix("303 /login?return=") == true)
    }
}
