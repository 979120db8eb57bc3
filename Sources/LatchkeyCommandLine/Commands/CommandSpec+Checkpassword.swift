extension CommandSpec {
    static let checkpassword = CommandSpec(
        words: ["checkpassword"], summary: "answer a daemon that knows the checkpassword interface",
        about:
            "Reads a login name, a password and a timestamp from descriptor 3, each with a NUL behind it (at most 512"
            + " bytes), judges them as a login does, and becomes PROGRAM where they are right, without descriptor 3 and with"
            + " USER, LATCHKEY_ACCOUNT_ID and LATCHKEY_ACCOUNT_NAME in its environment. No session is made. All from the"
            + " first word on that is no flag is PROGRAM and its arguments. Nothing goes to standard output.",
        more: ["http://cr.yp.to/checkpwd/interface.html describes the interface, and its exit statuses."],
        operand: Operand(name: "PROGRAM", isRequired: true, isProgram: true, endsFlags: true), flags: [.source],
        hashesPasswords: true,
        statuses: [], externalExitCodes: .checkpassword,
        examples: [
            "printf '%s\\0' ada 'correct horse battery' now | latchkey checkpassword printenv USER 3<&0",
            "latchkey checkpassword --source 192.0.2.1 --store /var/lib/latchkey/accounts.sqlite imapd",
        ]
    ) { (context) async throws(ToolFailure) in
        try await PasswordCheck(context: context).perform()
    }
}
