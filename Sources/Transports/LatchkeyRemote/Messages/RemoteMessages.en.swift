package import LatchkeyForms

extension ModuleSentences {
    /// The sentences about refused settings of a mail server or a service, and about an unusable service.
    package static let remote = ModuleSentences("remote", english: englishRemote)

    private static let englishRemote: [String: String] = [
        "origin.malformed":
            "The server must be https://HOST, http://localhost:PORT or unix:/PATH, without a path after the host",
        "origin.unencrypted": "http is only allowed for this machine: use https://{host}",
        "origin.socket_path": "The path of the socket must be absolute and at most 107 bytes",
        "service.unreachable": "The server cannot be reached, or it closed the connection",
        "service.certificate": "The certificate of the server is not valid or not trusted. Nothing was sent",
        "service.unencrypted": "The server does not offer encryption that Latchkey accepts. Nothing was sent",
        "service.timed_out": "The server did not answer in time. Check whether the change was made",
        "service.too_large": "The answer of the server is larger than Latchkey accepts",
        "service.exhausted": "Not enough memory or threads for the request",
        "service.failed": "The request failed (libcurl {code})",
        "service.answer": "The server's answer cannot be used (HTTP {status}). Is it Latchkey, and of this version?",
        "service.values_too_large": "The values are too large for one request",
        "smtp.not_an_object": "\"smtp\" must be an object with \"url\" and \"from\"",
        "smtp.unknown_member": "\"smtp\" has no member \"{key}\"",
        "smtp.missing": "\"smtp\" needs \"{key}\"",
        "smtp.not_text": "\"{key}\" of \"smtp\" must be a text",
        "smtp.url": "\"url\" of \"smtp\" must be smtps://HOST or smtp://HOST, with or without a port",
        "smtp.sender": "\"from\" of \"smtp\" must be an address, such as Desk <desk@example.org>",
        "smtp.hello": "\"hello\" of \"smtp\" must be a domain, or an address such as [192.0.2.1]",
        "smtp.plain":
            "\"tls\" of \"smtp\" can only be \"none\", with smtp:// and a server on this machine, without a login",
        "smtp.user": "\"user\" of \"smtp\" is empty, too long, or has control characters",
        "smtp.password": "The password of the mail server is empty, too long, or has more than one line",
        "smtp.relative_path": "\"password_file\" of \"smtp\" must be an absolute path: {path}",
        "smtp.file_missing": "{path} does not exist",
        "smtp.file_exposed": "{path} must be a file that only you can access: chmod 600 {path}",
        "smtp.file_unreadable": "{path} cannot be read, or is not a regular file",
    ]
}
