import LatchkeyFlows
import LatchkeyForms
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct AppDependencyTests {
    @Test(arguments: [AccountType.setup, .login])
    func `the dependency determines the first flow`(type: AccountType) async throws {
        let coordinator = await (try dependency(opening: type)).coordinator()
        #expect(coordinator.path == [type] && coordinator.goal == .signedIn && !coordinator.isFinished)
    }

    @Test(arguments: AccountType.allCases)
    func `a coordinator opens the requested flow first`(type: AccountType) async throws {
        let dependency = try dependency(opening: .login)
        let coordinator = await dependency.coordinator(opening: type, until: .success(of: type))
        #expect(coordinator.path == [type] && coordinator.goal == .success(of: type))
        #expect(coordinator.dependency.events === dependency.events, "what the program was given is handed on")
    }

    private func dependency(opening type: AccountType) throws -> AppDependency {
        AppDependency(networking: ScriptedNetworking(), forms: try FormCatalogue.shipped) { type }
    }
}
