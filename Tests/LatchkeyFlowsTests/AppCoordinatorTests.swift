import LatchkeyFlows
import LatchkeyForms
import TestSupport
import Testing

struct AppCoordinatorTests {
    @Test(arguments: [AccountType.setup, .login])
    func `the dependency chooses the first flow`(type: AccountType) async throws {
        let app = AppCoordinator(dependency: try dependency(opening: type))
        let coordinator = await app.start()
        #expect(coordinator.path == [type] && coordinator.goal == .signedIn && !coordinator.isFinished)
    }

    @Test(arguments: AccountType.allCases)
    func `a requested flow opens first`(type: AccountType) async throws {
        let dependency = try dependency(opening: .login)
        let app = AppCoordinator(dependency: dependency)
        let coordinator = await app.start(with: type, until: .success(of: type))
        #expect(coordinator.path == [type] && coordinator.goal == .success(of: type))
        #expect(coordinator.dependency.events === dependency.events, "what the program was given is handed on")
    }

    private func dependency(opening type: AccountType) throws -> AppDependency {
        AppDependency(networking: FakeNetworking(), forms: try FormCatalogue.shipped) { type }
    }
}
