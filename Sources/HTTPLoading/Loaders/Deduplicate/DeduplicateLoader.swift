import HTTPTypes
import Synchronization

/// Lets loads of the same thing at the same time share one: it is sent once, and each of them gets its response.
///
/// ```swift
/// DeduplicateLoader()
/// request.options[DeduplicationKey.self] = .explicit("user 17")   // or .never
/// ```
///
/// Requests are the same where method, target, all header fields, and the identity of their options are; see ``DeduplicationKey``. What
/// is shared is the load up to the end of the body: the response, whatever its status, or the error. Each gets it under the name of its
/// own request, and ``ResponseNotes/sharedFrom`` tells which one was sent.
///
/// - A load that is alone when the head of its response comes gets the body as a stream, as without this loader; who comes later loads
///   anew. Where several wait, the body is read into memory for them, up to ``bodyLimit``. Of a longer one, and of a stream of events,
///   the first who waits gets the stream, and each of the others loads by itself.
/// - The shared load belongs to nobody: who is cancelled leaves the others alone, and when nobody waits any more, it is cancelled. It has
///   no time limit, but each of those who wait has its own. It uses the options of the first, such as ``AttemptTimeout``.
/// - Loads of a new epoch of the chain never get anything from before a reset.
public final class DeduplicateLoader: Loader {
    private enum Outcome: Sendable {
        case response(HTTPResponse, [UInt8], ResponseNotes)
        case stream(LoadResponse)
        case failed(LoadError)
        case alone
        case expired
        case cancelled
    }

    /// The most bytes of a body that are kept in memory for those who wait.
    public let bodyLimit: Int
    private let loads: Mutex<SharedLoads<Waiter<Outcome>>>

    /// - Parameters:
    ///   - bodyLimit: The most bytes of a body that are kept in memory for those who wait; 1 MiB without it.
    ///   - callerLimit: How many share one load; 1,000 without it. Who comes after loads by itself.
    public init(bodyLimit: Int = 1 << 20, callerLimit: Int = 1_000) {
        self.bodyLimit = max(0, bodyLimit)
        loads = Mutex(SharedLoads(callerLimit: callerLimit))
    }

    public var place: LoaderPlace? { .deduplicate }

    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard !Task.isCancelled else { throw LoadError(.cancelled, for: request) }
        guard let key = SharingKey(request, next: next) else { return try await next(request) }
        let waiter = Waiter<Outcome>()
        guard let ticket = enter(key, request, next: next, waiter: waiter) else { return try await next(request) }
        let outcome = await waiter.wait(until: next.expiry, on: next.timer, orIfExpired: .expired, orIfCancelled: .cancelled)
        switch outcome {
        case .response(let head, let bytes, let notes): return LoadResponse(head, body: .bytes(bytes), notes: notes).labelled(request.id)
        case .stream(let response): return response.labelled(request.id)
        case .failed(let error): throw error.shared(with: request.id)
        case .alone: return try await next(request)
        case .expired:
            leave(ticket)
            throw LoadError(.timedOut, for: request)
        case .cancelled:
            leave(ticket)
            throw LoadError(.cancelled, for: request)
        }
    }

    /// Forgets and cancels what is under way.
    public func reset(_ context: ResetContext) async throws {
        guard context.phase == .forget else { return }
        let old = loads.withLock { $0.removeAll(of: context.chain, before: context.epoch) }
        for (task, callers) in old {
            task?.cancel()
            for caller in callers { caller.settle(.failed(LoadError(.cancelled, explanation: "the chain was reset"))) }
        }
    }
}

extension DeduplicateLoader {
    /// How many loads are under way.
    var loadCount: Int { loads.withLock(\.count) }
    /// How many wait for them.
    var callerCount: Int { loads.withLock(\.callerCount) }

    /// - Returns: nil where the caller has to load by itself.
    private func enter(
        _ key: SharingKey, _ request: LoadRequest, next: Next, waiter: Waiter<Outcome>
    ) -> SharedLoads<Waiter<Outcome>>.Ticket? {
        loads.withLock { loads in
            switch loads.enter(key, caller: waiter) {
            case .full: return nil
            case .joined(let ticket): return ticket
            case .first(let ticket):
                loads.began(ticket, as: Task { await self.perform(request, next: next.unlimited(), ticket: ticket) })
                return ticket
            }
        }
    }

    private func leave(_ ticket: SharedLoads<Waiter<Outcome>>.Ticket) {
        loads.withLock { $0.leave(ticket) }?.cancel()
    }

    private func perform(_ request: LoadRequest, next: Next, ticket: SharedLoads<Waiter<Outcome>>.Ticket) async {
        do throws(LoadError) {
            var response = try await next(request)
            response.request = request.id
            if isTooLong(response) {
                handOver(response, to: loads.withLock { $0.finish(ticket) })
            } else if let callers = loads.withLock({ $0.finishUnlessShared(ticket) }) {
                handOver(response, to: callers)
            } else {
                try await share(response, ticket: ticket)
            }
        } catch {
            for caller in loads.withLock({ $0.finish(ticket) }) { caller.settle(.failed(error)) }
        }
    }

    private func isTooLong(_ response: LoadResponse) -> Bool {
        // A stream of events has no end to wait for, however short its beginning.
        response.body.announcedLength ?? 0 > bodyLimit
            || response.head.headerFields[.contentType]?.lowercased().hasPrefix("text/event-stream") == true
    }

    private func share(_ response: LoadResponse, ticket: SharedLoads<Waiter<Outcome>>.Ticket) async throws(LoadError) {
        switch try await response.body.gathered(upTo: bodyLimit) {
        case .whole(let bytes):
            var notes = response.notes
            notes.sharedFrom = response.request
            for caller in loads.withLock({ $0.finish(ticket) }) { caller.settle(.response(response.head, bytes, notes)) }
        case .longer(let body):
            var response = response
            response.body = body
            handOver(response, to: loads.withLock { $0.finish(ticket) })
        }
    }

    /// Gives the stream to the first who takes it; the others are on their own.
    private func handOver(_ response: LoadResponse, to callers: [Waiter<Outcome>]) {
        var response = response
        response.notes.sharedFrom = response.request
        var isTaken = false
        for caller in callers {
            if !isTaken { isTaken = caller.settle(.stream(response)) } else { caller.settle(.alone) }
        }
        if !isTaken { response.body.cancel() }
    }
}

extension LoadResponse {
    /// The same as the answer to one of those who shared it.
    fileprivate func labelled(_ id: RequestID) -> LoadResponse {
        var response = self
        response.request = id
        if response.notes.sharedFrom == id { response.notes.sharedFrom = nil }
        return response
    }
}
