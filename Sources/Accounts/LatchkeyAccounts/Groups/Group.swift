/// A named set of accounts. Proxies, applications and pages admit an account because of its groups.
///
/// Groups are flat: a group has accounts as members and never other groups.
public struct Group: Equatable, Sendable {
    /// The permanent ID, which a new name does not change.
    public let id: AccountID
    /// The name that other programs compare.
    public var name: GroupName
    /// The title for people; nil if the name is enough.
    public var title: String?
    /// The time of creation.
    public let createdAt: Timestamp

    /// Creates a group.
    package init(id: AccountID, name: GroupName, title: String?, createdAt: Timestamp) {
        self.id = id
        self.name = name
        self.title = title
        self.createdAt = createdAt
    }

    /// The maximum number of groups in a store.
    public static let maximumCount = 10_000
    /// The maximum number of groups of one account.
    public static let maximumPerAccount = 500

    /// Whether `text` is a valid title: 1 to 256 bytes without control characters.
    public static func isTitle(_ text: String) -> Bool {
        1...256 ~= text.utf8.count && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// A group with the number of its members.
public struct GroupSummary: Equatable, Sendable {
    /// The group.
    public let group: Group
    /// The number of members, including disabled accounts.
    public let members: Int

    /// Creates a summary.
    package init(_ group: Group, members: Int) {
        self.group = group
        self.members = members
    }
}

/// The reason why a group, or a membership, does not change.
public enum GroupFailure: Error, Equatable, Sendable {
    /// There is no group with this name.
    case missing(GroupName)
    /// Another group already has this name.
    case nameTaken(GroupName)
    /// The store already has ``Group/maximumCount`` groups.
    case tooMany
    /// The account would have more than ``Group/maximumPerAccount`` groups.
    case tooManyOfAccount
    /// The group has these uses, so only a forced change deletes or renames it.
    case inUse([GroupUse])
    /// The members of the group administer Latchkey, so the operator's token needs ``OperatorToken/Scope/admin``.
    case adminNeeded
    /// The change would leave Latchkey without an account that can administer it. This is the administrators' group.
    case lastAdministrator(GroupName)
}

/// A place that names a group and would lose it.
public enum GroupUse: Equatable, Sendable {
    /// An invitation, by the ID of its token.
    case invitation(id: String)
    /// An application, by its ID.
    case application(id: String)
    /// The setting `groups.initial`.
    case initialGroups
    /// The setting `service.admins`.
    case administrators

    /// A stable description: `invitation:3f9a1c02`, `application:wiki`, or the key of the setting.
    public var text: String {
        switch self {
        case .invitation(let id): "invitation:" + id
        case .application(let id): "application:" + id
        case .initialGroups: "groups.initial"
        case .administrators: "service.admins"
        }
    }
}
