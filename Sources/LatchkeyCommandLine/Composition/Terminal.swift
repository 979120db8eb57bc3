import LatchkeyFlows
import LatchkeyForms

struct Terminal {
    init?(_ run: Run) { return nil }
    func run(_ coordinator: sending AccountCoordinator, _ values: FieldFlags?) async throws(ToolFailure) -> (
        AccountType, NetworkResponse
    )? { nil }
    func choose(_ title: String, _ options: [String]) async throws(ToolFailure) -> Int? { nil }
}
