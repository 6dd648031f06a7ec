/// A list of loaders that ends with a transport. A request passes through the loaders and results in one response or one error.
///
/// ```swift
/// let chain = try Chain(transport: NetworkTransport.shared) {
///     LogLoader(logger)
///     RedirectLoader()
///     AuthorizeLoader(session.authorizer)
/// }
/// let response = try await chain.load(.get("https://api.example.com/user"))
/// ```
///
/// List the loaders from the outermost to the innermost. ``LoaderPosition`` defines the order; a chain rejects any other order.
public final class Chain: Sendable {
    let links: ChainLinks
    /// The object that the loaders work for, if they do not have it themselves.
    let owner: (any AnyObject & Sendable)?
    private let options: RequestOptions
    private let gate = Gate()

    /// Creates a chain from a list of loaders.
    ///
    /// - Parameters:
    ///   - transport: The transport at the end of the chain.
    ///   - clock: The clock that all loaders use.
    ///   - options: The options of the chain, for requests that do not set these options themselves.
    ///   - loaders: The loaders, outermost first.
    /// - Throws: ``ChainError`` if the order is wrong.
    public convenience init(
        transport: any Transport,
        clock: LoadClock = .continuous,
        options: RequestOptions = RequestOptions(),
        _ loaders: [any Loader] = []
    ) throws(ChainError) {
        if let error = ChainError(orderOf: loaders) { throw error }
        self.init(transport: transport, clock: clock, options: options, ordered: loaders)
    }

    /// Creates a chain from a closure that lists the loaders. The closure can contain conditions and loops.
    ///
    /// - Parameters:
    ///   - transport: The transport at the end of the chain.
    ///   - clock: The clock that all loaders use.
    ///   - options: The options of the chain, for requests that do not set these options themselves.
    ///   - loaders: A closure that lists the loaders, outermost first.
    /// - Throws: ``ChainError`` if the order is wrong.
    public convenience init(
        transport: any Transport,
        clock: LoadClock = .continuous,
        options: RequestOptions = RequestOptions(),
        @ChainBuilder loaders: () -> [any Loader]
    ) throws(ChainError) {
        try self.init(transport: transport, clock: clock, options: options, loaders())
    }

    /// Creates a chain from loaders whose order is known to be right.
    package init(
        transport: any Transport, clock: LoadClock = .continuous, options: RequestOptions = RequestOptions(), ordered loaders: [any Loader]
    ) {
        links = ChainLinks(loaders: loaders, transport: transport, clock: clock)
        owner = nil
        self.options = options
        for loader in loaders { (loader as? any ChainMember)?.join(self) }
    }

    /// Creates one of many chains that share their loaders but not their gate. Loaders get the owner of the chain from ``Next``.
    package init(sharing links: ChainLinks, for owner: any AnyObject & Sendable) {
        self.links = links
        self.owner = owner
        options = RequestOptions()
    }

    /// Sends a request through all loaders.
    ///
    /// The request is in progress until the body of its response has been read to its end or released. A reset cancels requests in
    /// progress.
    ///
    /// - Throws: ``LoadError`` if there is no response. A response with an error status, such as 404, is returned.
    public func load(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        var request = request
        if !options.isEmpty { request.options.fill(from: options, as: .chain) }
        guard let progress = request.options[LoadProgress.self] else { return try await admitted(request) }
        return try await admitted(request, reportingTo: progress)
    }

    /// Resets the chain to its initial state, for example when the user signs out: clears the state of all loaders, cancels requests in
    /// progress, and drops responses to them that arrive later. Requests that start during the reset fail or wait; see ``WhileResetting``.
    ///
    /// If a reset is already in progress, the call waits for it and returns its report. The reset continues even if the calling task is
    /// cancelled. If a loader calls this function from its ``Loader/reset(_:)``, for the same chain or another one, the call immediately
    /// returns an empty report, because otherwise the two resets could wait for each other. If a loader calls it while handling a request,
    /// the reset waits for that request until the grace period is over.
    ///
    /// - Parameters:
    ///   - reason: The reason for the reset, which is passed to the loaders.
    ///   - grace: The maximum time to wait until cancelled requests have ended; 5 seconds by default.
    /// - Returns: A report that lists the loaders whose reset failed.
    @discardableResult
    public func reset(_ reason: ResetReason = .signOut, grace: Duration = .seconds(5)) async -> ResetReport {
        await reset(reason, grace: grace) { _ in }
    }

    /// Resets a chain whose owner takes part in the reset.
    ///
    /// - Parameter ownPart: The owner's part. It is performed in each phase, after the loaders.
    package func reset(
        _ reason: ResetReason, grace: Duration = .seconds(5), ownPart: @escaping @Sendable (ResetPhase) async -> Void
    ) async -> ResetReport {
        await gate.reset { epoch in await self.performReset(reason, epoch: epoch, grace: grace, ownPart) }
    }

    /// Whether the current task is part of a chain's reset. Such a task must not wait for work that waits for that reset.
    package static var isPerformingReset: Bool { Gate.isPerformingReset }

    /// Cancels requests in progress, rejects new ones, and closes the transport, even if other chains use the same transport.
    public func shutdown() async {
        gate.shut()
        _ = gate.cancelAll(explanation: "the chain was shut down")
        await links.transport.shutdown()
    }
}

extension Chain {
    private func admitted(_ request: LoadRequest, reportingTo progress: LoadProgress) async throws(LoadError) -> LoadResponse {
        do throws(LoadError) {
            var response = try await admitted(request)
            progress.received()
            response.body = response.body.reporting(to: progress)
            return response
        } catch {
            progress.finish()
            throw error
        }
    }

    private func admitted(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard !Task.isCancelled else { throw LoadError(.cancelled, for: request) }
        let load = try await gate.enter(request)
        await run(request, as: load)
        switch load.outcome(for: request) {
        case .success(let response) where response.body.hasEnded:
            gate.leave(load)
            return response
        case .success(let response):
            response.body.whenEnded { [gate] in gate.leave(load) }
            return response
        case .failure(let error):
            gate.leave(load)
            throw error
        }
    }

    /// Sends the request in a separate task, so that a reset can cancel it without cancelling the caller's task.
    private func run(_ request: LoadRequest, as load: RunningLoad) async {
        let task = beginTask { [self] in
            let start = links.clock.now
            do throws(LoadError) {
                var response = try await Next(chain: self, epoch: load.epoch)(request)
                response.request = request.id
                response.notes.timings.total = links.clock.now - start
                load.end(with: .success(response))
            } catch {
                load.end(with: .failure(error))
            }
        }
        guard load.began(task) else { return }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func performReset(
        _ reason: ResetReason, epoch: Epoch, grace: Duration, _ ownPart: @Sendable (ResetPhase) async -> Void
    ) async -> ResetReport {
        var report = ResetReport(epoch: epoch)
        report.failures += await reset(ResetContext(reason: reason, phase: .forget, epoch: epoch, chain: self))
        await ownPart(.forget)
        report.cancelledLoads = gate.cancelAll(explanation: "the chain was reset")
        report.abandonedLoads = await untilEmpty(within: grace)
        report.failures += await reset(ResetContext(reason: reason, phase: .cleanUp, epoch: epoch, chain: self))
        await ownPart(.cleanUp)
        gate.open()
        return report
    }

    private func reset(_ context: ResetContext) async -> [ResetReport.Failure] {
        var failures: [ResetReport.Failure] = []
        for loader in links.loaders {
            do {
                try await loader.reset(context)
            } catch {
                failures.append(ResetReport.Failure(loader: "\(type(of: loader))", phase: context.phase, error: error))
            }
        }
        return failures
    }

    private func untilEmpty(within grace: Duration) async -> Int {
        // The time begins now, and not when the task that measures it does.
        let end = links.clock.now + grace.clamped
        return await withTaskGroup(of: Int?.self) { group in
            group.addTask { await self.gate.untilEmpty() }
            group.addTask { [clock = links.clock] in
                try? await clock.sleep(until: end)
                return nil
            }
            var remaining = await group.next() ?? nil
            group.cancelAll()
            for await count in group { remaining = remaining ?? count }
            return remaining ?? 0
        }
    }
}

/// Starts a task on the calling thread if the system supports it. A task that never suspends then needs no thread switch and has ended when
/// this function returns.
private func beginTask(_ operation: sending @escaping @isolated(any) () async -> Void) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate(operation: operation)
    } else {
        Task(operation: operation)
    }
}
