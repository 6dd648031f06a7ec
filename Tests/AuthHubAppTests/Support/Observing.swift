import Observation

@testable import AuthHubTesting

/// Waits until the models meet the condition, and checks again after each change of what it read, or until the test is cancelled.
@MainActor
func until(_ condition: @MainActor () -> Bool) async {
    while !Task.isCancelled {
        let change = Latch<Void>()
        let holds = withObservationTracking(condition) { change.open(()) }
        if holds { return }
        _ = await change.wait()
    }
}
