import HTTPLoading
import HTTPTypes

/// Requests that end early.
extension ChainExample {
    static func ending(at servers: Servers) async throws {
        let chain = try servers.chain()
        let abandoned = try await chain.load(.get("/endless"))
        let reader = Task { await outcome { try await abandoned.text() } }
        reader.cancel()
        show("cancellation", "the body: \(await reader.value)")

        let response = try await chain.load(.get("/endless"))
        let reading = Task { await outcome { try await response.text() } }
        let report = await chain.reset("the user left")
        show("reset, auto-cancel", "\(report.cancelledLoads) load cancelled, its body: \(await reading.value)")
        show("after the reset", "\(try await chain.load(.get("/echo")).status.code)")
    }
}
