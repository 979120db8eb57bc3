import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyWeb

/// The forms with the settings of an application.
extension AdminRequest {
    static let applicationID: FieldKey = "client_id"

    private func fields(isNew: Bool) -> Form {
        let id = PageFormField(
            Self.applicationID, say("admin.client_id"), help: say("admin.client_id_help"),
            rules: [RequiredRule(), OperatorTextRule.clientID])
        // Most applications need only the first settings.
        let first: [ClientSetting] = [.name, .redirectURIs, .scopes, .groups]
        let rest = ClientSetting.all.filter { setting in !first.contains { $0.key == setting.key } }
        var settings = (first + rest).map { $0.field(self) }
        settings[first.count].page = say("admin.more_settings")
        var fields = (isNew ? [id] : []) + settings
        fields[0].page = say("admin.main_settings")
        return Form(
            id: "application", title: say(isNew ? "admin.new_application" : "admin.edit_application"),
            submit: say(isNew ? "admin.add_application" : "admin.save"), fields: fields)
    }

    func newApplication() async -> HTTPResponse {
        // The name of a new application is its ID.
        let present = ClientID("new").map { id in
            ClientSetting.all.filter { $0.key != ClientSetting.name.key }.map {
                ($0.fieldKey, $0.fieldValue(in: ClientSettings(of: id)))
            }
        }
        return form(
            opened(fields(isNew: true), carrying: Dictionary(present ?? []) { first, _ in first }), .applications,
            back: applicationsLink)
    }

    func addApplication() async throws -> HTTPResponse {
        guard let model = model(fields(isNew: true)) else { return page.notice(400, "page.bad_request") }
        guard request.validate(model).isEmpty, let credentials = model.takeCredentials(),
            let id = credentials.text(Self.applicationID).flatMap(ClientID.init)
        else { return form(model, .applications, back: applicationsLink, status: 422) }
        do throws(AccountService.ClientRefusal) {
            let settings = try settings(of: id, credentials)
            let (client, secret) = try await service.addClient(id.text, settings, by: actor)
            guard let secret else { return done("added", at: path(ofApplication: client.id)) }
            return try await wrapped {
                try await show(
                    client,
                    [
                        .secret(
                            title: say("admin.application_added"), help: say("admin.application_added_help"),
                            label: say("admin.secret"), secret)
                    ])
            }
        } catch {
            return try refuse(error, model, back: applicationsLink)
        }
    }

    private func refuse(
        _ refusal: AccountService.ClientRefusal, _ model: FormViewModel, back: (text: String, path: String),
        version: String? = nil
    ) throws -> HTTPResponse {
        var failures: [RuleFailure] = []
        if let (key, reason) = refusedSetting(refusal), model.form.field(FieldKey(rawValue: key)) != nil {
            failures = [
                RuleFailure(
                    code: RuleFailure.Code(rawValue: "client_setting"), values: ["reason": .text(reason)],
                    field: FieldKey(rawValue: key))
            ]
        } else if refusal == .exists {
            failures = [
                RuleFailure(code: RuleFailure.Code(rawValue: "client_exists"), field: Self.applicationID)
            ]
        }
        model.callBegan()
        model.callEnded(AlertViewModel(title: try sentence(about: refusal), failures: failures))
        return form(model, .applications, back: back, version: version, status: 422)
    }

    private func settings(
        of id: ClientID, _ credentials: Credentials
    ) throws(AccountService.ClientRefusal) -> ClientSettings {
        var members: [(key: String, value: JSONValue)] = []
        for setting in ClientSetting.all {
            guard let value = setting.json(of: credentials[setting.fieldKey]) else { continue }
            members.append((setting.key, value))
        }
        var settings = ClientSettings(of: id)
        do throws(ClientSettingsFailure) { try settings.apply(.object(members)) } catch { throw .unreadable(error) }
        if let problem = settings.problem(
            in: ProviderVocabulary(request.forms), changing: Set(ClientSettings.keys))
        {
            throw .refused(problem)
        }
        return settings
    }

    func applicationSettingsForm() async throws -> HTTPResponse {
        let client = try await client()
        let present = values(of: client)
        return form(
            opened(fields(isNew: false), carrying: present), .applications,
            back: (client.settings.name, path(ofApplication: client.id)), version: version(of: present))
    }

    private func values(of client: Client) -> [FieldKey: FieldValue] {
        Dictionary(ClientSetting.all.map { ($0.fieldKey, $0.fieldValue(in: client.settings)) }) { first, _ in first }
    }

    func changeApplicationSettings() async throws -> HTTPResponse {
        let client = try await client()
        let back = (client.settings.name, path(ofApplication: client.id))
        guard let model = model(fields(isNew: false)), let id = ClientID(client.id) else {
            return page.notice(400, "page.bad_request")
        }
        let opened = posted(FormPage.versionField)
        guard request.validate(model).isEmpty, let credentials = model.takeCredentials() else {
            return form(model, .applications, back: back, version: opened, status: 422)
        }
        if let page = conflict(model, credentials, with: values(of: client), .applications, back: back) { return page }
        do throws(AccountService.ClientRefusal) {
            let settings = try settings(of: id, credentials)
            let changed = try await service.updateClient(client.id, by: actor) { $0.settings = settings }
            return done(changed == client ? "nothing" : "changed", at: path(ofApplication: client.id))
        } catch {
            return try refuse(error, model, back: back, version: opened)
        }
    }
}

extension ClientSetting {
    fileprivate var fieldKey: FieldKey { FieldKey(rawValue: key) }

    /// The field of the setting. Only a list of free texts and an object have several lines.
    fileprivate func field(_ admin: AdminRequest) -> PageFormField {
        let title = title
        // The summary of a choice has the words of files, which the page shows in other words.
        let code = "admin.help_" + key
        let help =
            admin.request.messages.has(code)
            ? admin.say(code, ["example": .text(#"{"roles": "groups"}"#)])
            : summary.replacing("; can be repeated", with: ", one in each line")
        func options(_ values: [String]) -> [FieldOption] {
            values.map { FieldOption($0, label: words(for: $0, admin)) }
        }
        switch kind {
        case .flag: return PageFormField(fieldKey, title, as: .boolean, help: help)
        case .name, .text: return PageFormField(fieldKey, title, help: help, isOptional: true)
        case .list:
            return PageFormField(
                fieldKey, title, as: .multiline, help: help, isOptional: key != ClientSetting.redirectURIs.key)
        case .object:
            return PageFormField(
                fieldKey, title, as: .multiline, help: help, rules: [OperatorTextRule.object], isOptional: true)
        case .choices(let words):
            return PageFormField(
                fieldKey, title, as: .choices, help: help, isOptional: true, options: options(words))
        case .choice(let words, let isOptional):
            return PageFormField(
                fieldKey, title, as: .choice, help: help, isOptional: isOptional, options: options(words))
        }
    }

    fileprivate func fieldValue(in settings: ClientSettings) -> FieldValue {
        switch value(in: settings) {
        case .bool(let isOn): .boolean(isOn)
        case .string(let text): .text(text)
        case .array(let elements):
            if case .choices = kind {
                .list(elements.compactMap(\.string))
            } else {
                .text(elements.compactMap(\.string).joined(separator: "\n"))
            }
        case .null: .text("")
        case let value: .text(value.encoded)
        }
    }

    /// The JSON of a typed value; nil for the default.
    fileprivate func json(of value: FieldValue?) -> JSONValue? {
        switch (kind, value) {
        case (_, nil): return nil
        case (.flag, .boolean(let isOn)?): return .bool(isOn)
        case (.choices, .list(let words)?): return words.isEmpty ? nil : .array(words.map { .string($0) })
        case (.list, .text(let text)?):
            let elements = text.split { $0.isNewline || isListOfWords && ($0 == "," || $0 == " ") }
            return elements.isEmpty ? nil : .array(elements.map { .string(String($0)) })
        case (.object, .text(let text)?):
            guard !text.isEmpty else { return nil }
            return JSONValue(typed: text) ?? .string(text)
        case (_, .text(let text)?): return text.isEmpty ? nil : .string(text)
        case (_, _?): return .null
        }
    }

    /// The values of the setting in words, one fact for each; none for the default.
    func facts(of client: Client, _ admin: AdminRequest) -> [PageFact] {
        let texts: [String] =
            switch value(in: client.settings) {
            case .bool(let isOn): isOn ? [admin.say("page.yes")] : []
            case .string(let text): [words(for: text, admin)]
            // Addresses are long, and a word is short.
            case .array(let elements) where isListOfWords:
                [elements.compactMap { $0.string.map { words(for: $0, admin) } }.joined(separator: " · ")]
            case .array(let elements): elements.compactMap(\.string)
            case .null: []
            case .object(let members): members.map { $0.key + ": " + ($0.value.string ?? $0.value.encoded) }
            case let value: [value.encoded]
            }
        let shown = texts.filter { !$0.isEmpty }
        if shown.isEmpty, key == ClientSetting.groups.key { return [PageFact(title, admin.say("admin.everyone"))] }
        return shown.map { PageFact(title, $0) }
    }

    /// A value in words, if it is a word of the setting.
    private func words(for value: String, _ admin: AdminRequest) -> String {
        if key == ClientSetting.scopes.key { return admin.scopeWords(value) ?? value }
        let code = "admin.value_" + key + "_" + value
        return admin.request.messages.has(code) ? admin.say(code) : value
    }
}
