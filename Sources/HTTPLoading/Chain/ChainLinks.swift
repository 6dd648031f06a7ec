/// The parts of a chain that all its requests share. Chains that differ only in their owner can share them, too.
package final class ChainLinks: Sendable {
    let loaders: [any Loader]
    let transport: any Transport
    let clock: LoadClock
    let timer: LoadTimer

    /// Creates the shared parts of a chain.
    ///
    /// - Parameter loaders: The loaders, in an order that is known to be right.
    package init(loaders: [any Loader], transport: any Transport, clock: LoadClock) {
        self.loaders = loaders
        self.transport = transport
        self.clock = clock
        timer = LoadTimer(clock: clock)
    }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard !Task.isCancelled else { throw LoadError(.cancelled, for: request) }
        if let progress = request.options[LoadProgress.self] { return try await send(request, reportingTo: progress) }
        var response = try await transport.send(request)
        response.request = request.id
        return response
    }

    private func send(_ request: LoadRequest, reportingTo progress: LoadProgress) async throws(LoadError) -> LoadResponse {
        var observed = request
        observed.body = request.body.reporting(to: progress)
        var response = try await transport.send(observed)
        response.request = request.id
        return response
    }
}
