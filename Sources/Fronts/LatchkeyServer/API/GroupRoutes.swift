import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking

/// `/api/v1/groups`: groups and their members, for programs with an operator token.
enum GroupRoutes {
    static var routes: [Route] {
        [
            .operators(
                .readGroups, "GET", "/groups",
                APIDescription(id: "listGroups", summary: "List all groups by name", answer: "Groups")
            ) { api, _, _ in
                let groups = try await api.request.service.groups()
                return .success([("groups", .array(groups.map(\.json)))])
            },
            .operators(
                .writeGroups, "POST", "/groups",
                APIDescription(
                    id: "createGroup", summary: "Create a group without members", content: .newGroup,
                    answer: "GroupAnswer", refusals: [409, 422])
            ) { api, token, _ in try await api.createGroup(by: token) },
            .operators(
                .writeGroups, "PATCH", "/groups/{name}",
                APIDescription(
                    id: "changeGroup", summary: "Change the name or the title; an empty title removes it",
                    parameters: ["Group", "Force"], content: .groupChange, answer: "GroupAnswer",
                    refusals: [404, 409, 422])
            ) { api, token, parameters in try await api.changeGroup(parameters["name"], by: token) },
            .operators(
                .writeGroups, "DELETE", "/groups/{name}",
                APIDescription(
                    id: "deleteGroup", summary: "Delete a group with its memberships", parameters: ["Group", "Force"],
                    answer: "Success", refusals: [404, 409])
            ) { api, token, parameters in
                try await api.request.service.deleteGroup(
                    try api.groupName(parameters["name"]), force: try api.isForced(),
                    mayAdminister: token.mayAdminister, by: token.actor)
                return .success()
            },
            .operators(
                .writeGroups, "PUT", "/groups/{name}/members/{id}",
                .membership("addMember", "Add an account to a group")
            ) { api, token, parameters in try await api.setMembership(parameters, to: true, by: token) },
            .operators(
                .writeGroups, "DELETE", "/groups/{name}/members/{id}",
                .membership("removeMember", "Remove an account from a group")
            ) { api, token, parameters in try await api.setMembership(parameters, to: false, by: token) },
        ]
    }
}

extension APIDescription {
    fileprivate static func membership(_ id: String, _ summary: String) -> APIDescription {
        APIDescription(
            id: id, summary: summary, parameters: ["Group", "Account"], answer: "Membership", refusals: [404, 409])
    }
}

extension APIRequest {
    fileprivate func createGroup(by token: OperatorToken) async throws -> HTTPResponse {
        let form = GroupForm.creation
        let credentials = try credentials(of: form, filledWith: try submission(for: form))
        let title = credentials.text(GroupForm.title) ?? ""
        let group = try await request.service.createGroup(
            try groupName(credentials.text(GroupForm.name) ?? ""), title: title.isEmpty ? nil : title, by: token.actor)
        return .success([("group", GroupSummary(group, members: 0).json)])
    }

    fileprivate func changeGroup(_ name: String, by token: OperatorToken) async throws -> HTTPResponse {
        let form = GroupForm.change
        let submission = try submission(for: form)
        let isTitled = submission.values[GroupForm.title] != nil
        let credentials = try credentials(of: form, filledWith: submission)
        let newName = credentials.text(GroupForm.name).flatMap { GroupName($0) }
        let summary = try await request.service.changeGroup(
            try groupName(name), to: newName, title: isTitled ? credentials.text(GroupForm.title) ?? "" : nil,
            force: try isForced(), mayAdminister: token.mayAdminister, by: token.actor)
        return .success([("group", summary.json)])
    }

    fileprivate func setMembership(
        _ parameters: Router.Parameters, to isMember: Bool, by token: OperatorToken
    ) async throws -> HTTPResponse {
        let name = try groupName(parameters["name"])
        guard let lookup = AccountLookup(parameters["id"]) else { throw AccountError.noSuchAccount }
        let hasChanged = try await request.service.setMembership(
            of: lookup, in: name, to: isMember, mayAdminister: token.mayAdminister, by: token.actor)
        return .success([("changed", .bool(hasChanged))])
    }

    /// The group with a name from the path.
    ///
    /// - Throws: a refusal with 404 for an invalid name, which no group has.
    func groupName(_ text: String) throws(Refusal) -> GroupName {
        guard let name = GroupName(text) else { throw Refusal(request.problem(404, "no_such_group")) }
        return name
    }

    /// Whether to change a group that an invitation or a setting names: `?force=1`.
    fileprivate func isForced() throws(Refusal) -> Bool {
        switch request.http.target["force"] {
        case nil where !request.http.target.query.contains { $0.name == "force" }: return false
        case "0": return false
        case "1": return true
        default: throw Refusal(request.problem(400, "bad_query", ["name": .text("force")]))
        }
    }

    /// The refusal for a failed change of a group.
    func problem(_ failure: GroupFailure) -> HTTPResponse {
        switch failure {
        case .missing: request.problem(404, "no_such_group")
        case .nameTaken: request.problem(409, "group_exists")
        case .tooMany: request.problem(409, "too_many_groups", ["maximum": .integer(Group.maximumCount)])
        case .tooManyOfAccount:
            request.problem(409, "too_many_groups_of_account", ["maximum": .integer(Group.maximumPerAccount)])
        case .inUse(let uses):
            request.problem(409, "group_in_use", ["uses": .text(uses.map(\.text).joined(separator: ", "))])
        case .adminNeeded: request.lacking(.admin)
        case .lastAdministrator: request.problem(409, "last_administrator")
        }
    }
}
