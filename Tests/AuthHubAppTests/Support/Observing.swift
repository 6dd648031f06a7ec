import Observation

@testable import AuthHubTesting

/// Waits until the models meet the condition, or the test is cancelled. Checks again after each change of the properties that the condition
/// read.
@MainActor
func until(_ condition: @MainActor () -> Bool) async {
    while !Task.isCancelled {
        let change = Latch<Void>()
        let holds = withObservationTracking(condition) { change.open(()) }
        if holds { return }
        _ = await change.wait()
    }
}
