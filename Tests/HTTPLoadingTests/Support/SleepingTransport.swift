import AuthHubTesting
import HTTPLoading
import HTTPTypes

/// Responds one second after a request, by a clock that stands still until a test advances it.
struct SleepingTransport: Transport {
    let clock: TestClock
    /// Whether a cancelled request still gets a response.
    var isStubborn = false
    var body: @Sendable () -> ResponseBody = { .bytes(Array("late".utf8)) }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let deadline = clock.now.advanced(by: .seconds(1))
        let sleeping = Task { [clock] in try await clock.sleep(until: deadline) }
        let result = await withTaskCancellationHandler {
            await sleeping.result
        } onCancel: {
            if !isStubborn { sleeping.cancel() }
        }
        guard case .success = result else { throw LoadError(.cancelled, for: request) }
        return LoadResponse(HTTPResponse(status: .ok), body: body())
    }
}
