import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyText

/// The file of `applications apply`.
struct ApplicationsFile {
    private let context: CommandContext
    private let parts: OpenIDParts
    private let path: String
    /// The name of the file in messages.
    let name: String

    /// The maximum size of the file in bytes.
    private static let maximumBytes = 4 << 20
    private static let key = "applications"
    private static let shape = #"{"applications": [{"client_id": "…", …}, …]}"#
    /// The keys of an application that are no settings.
    private static let idKey = "client_id"
    private static let secretKey = "secret_file"
    private static let disabledKey = "disabled"

    /// A problem with the place where it is.
    private struct Problem: Error {
        let failure: ToolFailure
        let place: TextPlace

        init(_ name: String, _ problem: String, at place: TextPlace) {
            self.init(.application(.badSetting(name: name, problem: problem)), at: place)
        }

        init(_ failure: ToolFailure, at place: TextPlace) { (self.failure, self.place) = (failure, place) }
    }

    init(_ context: CommandContext) throws(ToolFailure) {
        self.context = context
        parts = try context.openIDParts()
        (path, name) = try context.rowFile()
    }

    /// Reads the applications, and reports every problem with its place.
    ///
    /// - Parameter stored: the applications of the store, some of which have secrets.
    func applications(over stored: [Client]) throws(ToolFailure) -> [DesiredClient] {
        let nodes: [JSONNode]
        let text = try text()
        do throws(Problem) { nodes = try elements(of: try root(text)) } catch {
            throw refusal(of: [(nil, error)])
        }
        var desired: [DesiredClient] = []
        var problems: [(id: String?, problem: Problem)] = []
        for node in nodes {
            let members = node.members
            let id = members?.first { $0.key == Self.idKey }?.value.value.string
            do throws(Problem) {
                let client = try application(node, stored)
                guard !desired.contains(where: { $0.id.utf8.elementsEqual(client.id.utf8) }) else {
                    throw Problem(Self.idKey, "occurs twice", at: node.place)
                }
                desired.append(client)
            } catch {
                problems.append((id, error))
            }
        }
        guard problems.isEmpty else { throw refusal(of: problems) }
        return desired
    }

    private func refusal(of problems: [(id: String?, problem: Problem)]) -> ToolFailure {
        for (id, problem) in problems {
            let sentence = problem.failure.sentence(context.messages)
            let place = "\(name):\(problem.place.line):\(problem.place.column): "
            context.output.problem(place + (id.map { $0.isEmpty ? "" : $0 + ": " } ?? "") + sentence)
        }
        return .application(.fileRefused(count: problems.count))
    }

    // MARK: Parts

    private func text() throws(ToolFailure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) {
            // The file has no secrets: it names other files that have them.
            bytes =
                path == "-"
                ? try InputFiles.bytes(try GivenFile(inherited: 0), limit: Self.maximumBytes)
                : try InputFiles.bytes(path, limit: Self.maximumBytes)
        } catch {
            throw .reading(name, error)
        }
        guard bytes.count <= Self.maximumBytes else {
            throw .application(.badSetting(name: name, problem: "is longer than \(Self.maximumBytes >> 20) MiB"))
        }
        return bytes
    }

    private func root(_ bytes: [UInt8]) throws(Problem) -> JSONNode {
        let start = TextPlace(line: 1, column: 1)
        guard bytes.contains(where: { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }) else {
            throw Problem("The file", "is empty. It must be \(Self.shape)", at: start)
        }
        do throws(JSONReader.Failure) { return try JSONReader.read(bytes) } catch {
            let problem = FormDescriptionError.Problem.notJSON(error.problem)
            throw Problem("The file:", context.messages.sentence(problem.code, problem.values), at: error.place)
        }
    }

    private func elements(of root: JSONNode) throws(Problem) -> [JSONNode] {
        guard let members = root.members else {
            throw Problem("The file", "must be one object: \(Self.shape)", at: root.place)
        }
        if let other = members.first(where: { $0.key != Self.key }) {
            throw Problem("\"\(other.key)\"", "is unknown. The file must be \(Self.shape)", at: other.keyPlace)
        }
        guard let list = members.first else {
            throw Problem(Self.key, "is missing. The file must be \(Self.shape)", at: root.place)
        }
        guard case .array(let nodes) = list.value.content else {
            let kind = list.value.value.kindInWords
            throw Problem(Self.key, "must be an array of objects, not \(kind)", at: list.value.place)
        }
        return nodes
    }

    private func application(_ node: JSONNode, _ stored: [Client]) throws(Problem) -> DesiredClient {
        guard let members = node.members else {
            throw Problem(Self.key, "must contain objects, not \(node.value.kindInWords)", at: node.place)
        }
        guard let idNode = members.first(where: { $0.key == Self.idKey })?.value else {
            throw Problem(Self.idKey, "is missing", at: node.place)
        }
        guard let text = idNode.value.string else {
            throw Problem(Self.idKey, "must be a string, not \(idNode.value.kindInWords)", at: idNode.place)
        }
        guard !text.isEmpty else { throw Problem(Self.idKey, "must not be empty", at: idNode.place) }
        guard let id = ClientID(text) else { throw Problem(.application(.badID(id: text)), at: idNode.place) }
        var settings = ClientSettings(of: id)
        for member in members where ![Self.idKey, Self.secretKey, Self.disabledKey].contains(member.key) {
            do throws(ClientSettingsFailure) {
                try settings.apply(.object([(member.key, member.value.value)]))
            } catch {
                throw Problem(.application(ApplicationFailure(error) { $0 }), at: member.keyPlace)
            }
        }
        func place(of key: String) -> TextPlace { members.first { $0.key == key }?.keyPlace ?? node.place }
        if let problem = parts.problem(settings, Set(ClientSettings.keys), context.forms) {
            throw Problem(.application(ApplicationFailure(problem) { $0 }), at: place(of: problem.setting))
        }
        let isDisabled = try disabled(members)
        let hasSecret = stored.contains { $0.id.utf8.elementsEqual(id.text.utf8) && $0.secretCount > 0 }
        guard let file = members.first(where: { $0.key == Self.secretKey }) else {
            guard settings.isPublic || hasSecret else {
                throw Problem(Self.secretKey, "is missing: the application has no secret yet", at: node.place)
            }
            return DesiredClient(id: id.text, settings: settings, secret: nil, isDisabled: isDisabled)
        }
        guard !settings.isPublic else {
            let rule = "excludes \(ClientSetting.isPublic.key): a public application cannot keep a secret"
            throw Problem(Self.secretKey, rule, at: file.keyPlace)
        }
        guard let relative = file.value.value.string, !relative.isEmpty else {
            let kind = file.value.value == .string("") ? "an empty string" : file.value.value.kindInWords
            throw Problem(Self.secretKey, "must be the path of a file, not \(kind)", at: file.value.place)
        }
        do throws(ToolFailure) {
            let secret = try context.clientSecret(in: FilePlace(path).path(of: relative))
            return DesiredClient(id: id.text, settings: settings, secret: secret, isDisabled: isDisabled)
        } catch {
            throw Problem(error, at: file.value.place)
        }
    }

    /// The state of the application; nil if the file does not have it.
    private func disabled(_ members: [JSONNode.Member]) throws(Problem) -> Bool? {
        guard let node = members.first(where: { $0.key == Self.disabledKey })?.value else { return nil }
        guard case .bool(let isDisabled) = node.value else {
            throw Problem(Self.disabledKey, "must be true or false, not \(node.value.kindInWords)", at: node.place)
        }
        return isDisabled
    }
}

extension CommandContext {
    /// The secret in the first line of a file.
    ///
    /// - Parameter name: the flag that names the file; nil to use the path in messages.
    func clientSecret(in path: String, named name: String? = nil) throws(ToolFailure) -> Secret {
        var lines = SecretLines(try InputFiles.open(path, output, messages), named: path)
        let secret = try lines.line(maximumBytes: 1024, flag: path)
        guard 16...1024 ~= secret.count else { throw .badValue(name ?? path, .secret(minimum: 16, maximum: 1024)) }
        return secret
    }
}

extension JSONNode {
    /// The members of an object; nil for another value.
    fileprivate var members: [Member]? {
        guard case .object(let members) = content else { return nil }
        return members
    }
}
