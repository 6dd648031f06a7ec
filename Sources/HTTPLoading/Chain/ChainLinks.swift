/// What all loads of a chain share; chains that differ in nothing but whom they work for may share it, too.
package final class ChainLinks: Sendable {
    let loaders: [any Loader]
    let transport: any Transport
    let clock: LoadClock
    let timer: LoadTimer

    /// - Parameter loaders: In an order that is known to be right.
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
