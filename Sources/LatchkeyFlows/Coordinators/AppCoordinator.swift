public import LatchkeyForms

/// Begins: decides which flow opens first, and hands the dependency on.
public final class AppCoordinator: NeedsDependency {
    public let dependency: AppDependency

    public init(dependency: AppDependency) { self.dependency = dependency }

    /// Opens `type`, or what the dependency says opens first: set-up while no account exists, else login.
    public func start(with type: AccountType? = nil, until goal: Goal = .signedIn) async -> AccountCoordinator {
        let first: AccountType
        if let type { first = type } else { first = await dependency.opensWith() }
        return AccountCoordinator(dependency: dependency, opening: first, until: goal)
    }
}
