/// Loaders in a row in front of a transport: a request goes in, one response or one error comes out.
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
/// The order matters, outermost first; ``LoaderPlace`` lists it, and a wrong one is refused.
public final class Chain: Sendable {
    let links: ChainLinks
    /// Whom the loaders work for, where they do not know by themselves.
    let owner: (any AnyObject & Sendable)?
    private let options: RequestOptions
    private let gate = Gate()

    /// - Parameters:
    ///   - transport: The end of the chain.
    ///   - clock: What all its loaders measure and wait by.
    ///   - options: For requests that do not say otherwise.
    ///   - loaders: Outermost first.
    /// - Throws: ``ChainError`` where the order is wrong.
    public convenience init(
        transport: any Transport,
        clock: LoadClock = .continuous,
        options: RequestOptions = RequestOptions(),
        _ loaders: [any Loader] = []
    ) throws(ChainError) {
        if let error = ChainError(orderOf: loaders) { throw error }
        self.init(transport: transport, clock: clock, options: options, ordered: loaders)
    }

    /// The same with the loaders listed in a closure, which may hold conditions and loops.
    public convenience init(
        transport: any Transport,
        clock: LoadClock = .continuous,
        options: RequestOptions = RequestOptions(),
        @ChainBuilder loaders: () -> [any Loader]
    ) throws(ChainError) {
        try self.init(transport: transport, clock: clock, options: options, loaders())
    }

    /// For lists whose order is known to be right.
    package init(
        transport: any Transport, clock: LoadClock = .continuous, options: RequestOptions = RequestOptions(), ordered loaders: [any Loader]
    ) {
        links = ChainLinks(loaders: loaders, transport: transport, clock: clock)
        owner = nil
        self.options = options
        for loader in loaders { (loader as? any ChainMember)?.join(self) }
    }

    /// One of many chains with the same loaders, and a gate of its own. Loaders find whom it is for in ``Next``.
    package init(sharing links: ChainLinks, for owner: any AnyObject & Sendable) {
        self.links = links
        self.owner = owner
        options = RequestOptions()
    }

    /// Loads a request through all loaders.
    ///
    /// The load is under way until its response's body has been read to its end or let go: a reset cancels it until then.
    ///
    /// - Throws: ``LoadError``. A response with an error status is a response.
    public func load(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        var request = request
        if !options.isEmpty { request.options.fill(from: options, as: .chain) }
        guard let progress = request.options[LoadProgress.self] else { return try await admitted(request) }
        return try await admitted(request, reportingTo: progress)
    }

    /// Makes the chain as new, as for a person who signs out: new loads are held off, what loaders keep is forgotten, what is under way is
    /// cancelled, and what comes of it all the same is dropped.
    ///
    /// A reset that is under way is joined. It goes on where the calling task is cancelled. A loader that calls it from its
    /// ``Loader/reset(_:)`` while it is under way, be it for the same chain or another one, gets an empty report at once, since the two
    /// might wait for each other; one that waits for it within a load is waited for until the grace is over.
    ///
    /// - Parameters:
    ///   - reason: Handed to the loaders.
    ///   - grace: How long to wait for loads that are cancelled to end; 5 seconds without it.
    @discardableResult
    public func reset(_ reason: ResetReason = .signOut, grace: Duration = .seconds(5)) async -> ResetReport {
        await reset(reason, grace: grace) { _ in }
    }

    /// The same for a chain whose owner has a part in its resets.
    ///
    /// - Parameter ownPart: Performed in each round, after the loaders.
    package func reset(
        _ reason: ResetReason, grace: Duration = .seconds(5), ownPart: @escaping @Sendable (ResetPhase) async -> Void
    ) async -> ResetReport {
        await gate.reset { epoch in await self.performReset(reason, epoch: epoch, grace: grace, ownPart) }
    }

    /// Whether the current task works for the reset of a chain: it must not wait for what waits for that reset.
    package static var isPerformingReset: Bool { Gate.isPerformingReset }

    /// Cancels what is under way, refuses what comes after, and closes the transport: also for other chains that end in it.
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

    /// Loads in a task of its own, so that a reset can cancel it and leave the caller's alone.
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
        await withTaskGroup(of: Int?.self) { group in
            group.addTask { await self.gate.untilEmpty() }
            group.addTask { [clock = links.clock] in
                try? await clock.sleep(for: grace)
                return nil
            }
            var remaining = await group.next() ?? nil
            group.cancelAll()
            for await count in group { remaining = remaining ?? count }
            return remaining ?? 0
        }
    }
}

/// Begins a task on the calling thread where the system can: one that never waits costs no change of threads, and has ended on return.
private func beginTask(_ operation: sending @escaping @isolated(any) () async -> Void) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate(operation: operation)
    } else {
        Task(operation: operation)
    }
}
