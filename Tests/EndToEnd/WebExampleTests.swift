import Foundation
import TestSupport
import Testing

/// The site in `Examples/Web` behind real proxies that ask `/verify`.
@Suite(.programs, .timeLimit(.minutes(60))) struct WebExampleTests {
    private static let proxies = [("nginx", "/usr/sbin/nginx"), ("caddy", "/usr/bin/caddy")]
        .filter { FileManager.default.isExecutableFile(atPath: $0.1) }.map(\.0)

    /// S-162.
    @Test(arguments: proxies)
    func `a site on another host learns only who is logged in, and sees only its own credentials`(proxy: String) throws
    {
        let sandbox = try Sandbox()
        let script = """
            set -euo pipefail
            # A free port: the system gives it away again only after many others.
            export PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
            export LATCHKEY="\(Sandbox.binary.path)" PATH=/usr/sbin:$PATH
            # The file exists before the loop below reads it.
            touch output
            "\(SourceTree.path(of: "Examples/Web/start"))" \(proxy) >output 2>&1 &
            trap 'kill %1; wait' EXIT
            accounts=https://accounts.example.localhost:$PORT notes=https://notes.example.localhost:$PORT
            desk=https://desk.example.localhost:$PORT
            until ca=$(grep -o '/[^ ]*ca.pem' output); do kill -0 %1; sleep 0.1; done
            web() { curl -s --cacert "$ca" --resolve "*:$PORT:127.0.0.1" "$@"; }
            ask() { web -b jar -c jar -w '%{http_code} %{redirect_url}\\n' "$@"; }
            form() { ask -H "Origin: $accounts" "$@"; }
            until web -o /dev/null "$accounts/login"; do kill -0 %1; sleep 0.1; done
            ask "$notes/a" -H 'Remote-User: root'
            form "$accounts/setup" --data-urlencode 'email_field=ada@example.org' -d username=ada \
                -d 'password=correct+horse+battery' -d "return=$notes/a"
            ask "$notes/a" -H 'Remote-User: root' -H 'Remote-E-mail: root@example.org'
            ask "$notes/a"
            for name in remote-user REMOTE_USER Remote_Id remote_Email Remote-User Remote_Groups remote-groups; do
                web -o /dev/null -b jar "$notes/a" -H "$name: mallory"
            done
            # The site sees no header of a client under our names, and no variable of the proxy.
            grep -q '^site: Remote-User: ada' output
            grep -q '^site: Remote-Groups: staff' output
            # The desk is for another group, whatever a client says.
            for header in 'Remote-Groups: admins' 'Remote_Groups: admins' 'X-Forwarded-Uri: /verify?group=staff'; do
                ask "$desk/?group=staff" -H "$header" -o /dev/null >>denied
            done
            ask "$accounts/denied?group=admins" >>denied
            "$LATCHKEY" groups add admins ada --quiet >/dev/null
            ask "$desk/" -o /dev/null >>denied
            grep -q '^site: Remote-Groups: admins,staff' output
            "$LATCHKEY" groups remove admins ada --last-admin --quiet >/dev/null
            ask "$desk/" -o /dev/null >>denied
            "$LATCHKEY" groups remove staff ada --quiet >/dev/null
            ask "$notes/" -o /dev/null >>denied
            "$LATCHKEY" groups add staff ada --quiet >/dev/null
            if grep -E 'mallory|http\\.reverse_proxy' output; then exit 1; fi
            token=$(grep -o 'lks_.*' jar)
            ticket=$(grep -o 'lkt_.*' jar)
            own="__Secure-latchkey-verify=$ticket"
            for cookies in "$own" "$own; notes=2; yours=2" "notes=2; __Host-latchkey=$token; $own; latchkey-device=lkd_x" \
                "x=1; $own; __Host-latchkey-pending=lkp_x; latchkey=$token; latchkey-new=y; notes=2"; do
                web -o /dev/null "$notes/cookies" -H "Cookie: $cookies"
            done
            # Several headers, as a client may send them.
            web -o /dev/null --http1.1 "$notes/lines" -H 'Cookie: notes=2' -H "Cookie: $own; latchkey=$token"
            web -o /dev/null --http1.1 "$notes/lines" -H "Cookie: $own; latchkey=$token" -H 'Cookie: notes=2'
            web -o /dev/null "$notes/token" -H "Authorization: Bearer $token"
            web -o /dev/null "$notes/basic" -H 'Authorization: Basic YTpi' -H "Cookie: $own"
            # The cookies of the pages open nothing in the API.
            ask "$accounts/api/v1/session" | tail -c 5
            form "$accounts/logout" -X POST
            ask "$notes/search?q=a+b&page=2"
            # The site saw its own cookie and authorization, and nothing of Latchkey's.
            grep -c '^site:.*notes=2' output
            grep -c '^site:.*Basic YTpi' output
            if grep -E '^site:.*(latchkey|lk[a-z]_)' output; then exit 1; fi
            """
        // Ends the test if neither the script nor a proxy does.
        let ending = try RunningBinary(
            sandbox, [], through: ["/usr/bin/timeout", "--kill-after=5", "600", "/bin/bash", "-c", script, "bash"]
        ).ending()
        #expect(ending.status == 0, "\(ending.stdout)")
        let denied = try sandbox.contents(of: "denied").replacing(#/.localhost:\d+/#, with: "")
        let refusal = "303 https://accounts.example/denied?group=admins"
        let answers = denied.split(separator: "\n").filter { !$0.hasPrefix("<") || $0.contains("403 ") }
        #expect(answers.count == 7, "\(denied)")
        #expect(answers.prefix(3) == [refusal[...], refusal[...], refusal[...]], "\(denied)")
        #expect(answers.dropFirst(3).first.map { $0.hasSuffix("403 ") } == true, "\(denied)")
        #expect(
            answers.suffix(3) == [
                "200 ", refusal[...], "303 https://accounts.example/denied?group=staff&group=admins",
            ], "\(denied)")
        // Without the pages of nginx.
        let lines = ending.stdout.split(whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("<") || $0.contains("ada") }
            .map { $0.replacing(#/.localhost:\d+/#, with: "") }
        let login = "303 https://accounts.example/login?return=https://notes.example/a"
        #expect(lines.prefix(2) == [login[...], "303 https://notes.example/a"], "\(lines)")
        #expect(lines.dropFirst(2).first.map { $0.contains("Hello, ada") && $0.hasSuffix("200 ") } == true, "\(lines)")
        #expect(lines.dropFirst(3).first.map { $0.contains("Welcome back, ada") && $0.hasSuffix("200 ") } == true)
        #expect(!lines.contains { $0.contains("root") }, "\(lines)")
        #expect(
            lines.suffix(5) == [
                "401 ", "303 https://accounts.example/login?note=out",
                "303 https://accounts.example/login?return=https://notes.example/search%3Fq%3Da%2Bb%26page%3D2", "5",
                "1",
            ],
            "\(lines)")
    }
}
