import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

@testable import LatchkeyCommandLine

extension FuzzTarget {
    /// A value that no error message may repeat.
    private static let canary = Array("canary7".utf8)

    /// Arguments separated by NULs. An error message never repeats the value after `=`.
    static let arguments = FuzzTarget("arguments", upTo: 1_024) { bytes in
        let words = bytes.pieces.map { Argument(bytes: Array($0)) }
        let isHidden = words.allSatisfy { word in
            guard let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")), word.longFlag != nil else {
                return word.bytes.firstRange(of: canary) == nil
            }
            return word.bytes[..<equals].firstRange(of: canary) == nil
        }
        do throws(ToolFailure) {
            let parser = ArgumentParser(commands: CommandTable.all)
            let first = try parser.firstPass(words)
            var form: Form?
            if case .flow(let type) = first.command.form { form = FuzzForms.builtIn?.form(for: type) }
            let invocation = try parser.secondPass(first, flags: first.command.flags(of: form))
            if Set(invocation.flags.map(\.name)).count != invocation.flags.count { return "a flag is there twice" }
            let takesSeveral = first.command.operand.map { $0.isProgram || $0.isRepeatable } ?? false
            if invocation.operands.count > 1, !takesSeveral { return "more operands than a command takes" }
            _ = try SettingValues(flags: invocation.flags)
            return nil
        } catch {
            let sentence = error.sentence(Translation.english.allMessages)
            if sentence.isEmpty { return "no sentence for \(error.code)" }
            return isHidden && sentence.utf8.firstRange(of: canary) != nil ? "a value is repeated: \(sentence)" : nil
        }
    }

    private static let threads = WorkerThreads(count: 1, waitingLimit: 64)

    /// A session file, a sealing key or the store's key, read by its loader. The first byte chooses.
    static let secretFiles = FuzzTarget("secret-files", upTo: 400) { bytes in
        guard let folder = FuzzFolder.shared, let kind = bytes.first else { return nil }
        let content = Array(bytes.dropFirst())
        switch kind % 3 {
        case 0:
            guard folder.write(content, to: "session") else { return "no file to read from" }
            let sessionStore = FileSessionStore(folder: folder.path, storeID: [0xAB, 0xCD], threads: threads)
            let isOurs = content.count > 6 && content.starts(with: "abcd".utf8) && content.last == UInt8(ascii: "\n")
            do {
                guard let token = try await sessionStore.token() else { return isOurs ? "a session is not seen" : nil }
                return isOurs && token.count == content.count - 6 ? nil : "a token of what is no session"
            } catch {
                return content.count > 256 ? nil : "\(error)"
            }
        case 1:
            guard folder.write(content, to: "0123456789abcdef.key"), let id = SealingKeyID("0123456789abcdef") else {
                return "no file to read from"
            }
            do throws(StoreError) {
                let key = try PepperFolder(at: folder.path, mark: folder.path + "/mark").key(id)
                return (key?.count ?? 0) == (content.count == 32 ? 32 : 0) ? nil : "a key of another length"
            } catch {
                return content.count > 32 ? nil : "\(error)"
            }
        default:
            let key = StoreKey(Secret(copying: content.span))
            return (key != nil) == (content.count == 32) ? nil : "a key of another length"
        }
    }

    /// Recipient, subject, sender and body, separated by NULs.
    static let message = FuzzTarget("message", upTo: 1_024) { bytes in
        let parts = bytes.pieces.map { Array($0).repairedText } + ["", "", "", ""]
        let message = OutboxMessage(
            id: "0123456789abcdef", recipient: EmailAddress(storedAs: parts[0], folded: parts[0]), subject: parts[1],
            body: parts[3], createdAt: Timestamp(milliseconds: Int64(bytes.count) << 30), expiresAt: nil)
        let text = MailText.text(of: message, from: parts[2])
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let names = [
            "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
            "Content-Transfer-Encoding",
        ]
        guard let end = lines.firstIndex(where: \.isEmpty) else { return "the head has no end" }
        // A line that begins with a space continues the previous one (RFC 5322, section 2.2.3).
        let heads = lines[..<end].filter { $0.first != UInt8(ascii: " ") }
        guard heads.count == names.count else { return "the head has more or fewer fields" }
        for (name, line) in zip(names, heads) where !line.starts(with: (name + ": ").utf8) {
            return "the header has an injected line"
        }
        if lines[..<end].joined().contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "a control in the head" }
        let body = lines[(end + 1)...].joined(separator: [UInt8(ascii: "\n")])
        return body.elementsEqual(parts[3].utf8) ? nil : "the body is another"
    }
}
