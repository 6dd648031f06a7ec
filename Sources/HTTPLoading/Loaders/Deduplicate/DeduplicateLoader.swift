import HTTPTypes
import Synchronization

/// A loader that coalesces equal requests: it sends one of them, and returns its response to all callers.
///
/// ```swift
/// DeduplicateLoader()
/// request.options[DeduplicationKey.self] = .explicit("user 17")   // or .never
/// ```
///
/// Requests are equal if their method, target, all header fields, and the ``RequestOption/identity(of:)`` of their options are equal; see
/// ``DeduplicationKey``. They share the response, whatever its status, or the error. In a shared response, ``ResponseNotes/sharedFrom`` is
/// the ID of the request that was sent.
///
/// - If only one caller is waiting when the head of the response arrives, the body is streamed to this caller, and later requests are sent
///   separately. If several callers are waiting, the body is read into memory for them, up to `bodyLimit` bytes. If it is longer, or is a
///   stream of events, the first caller receives the stream, and the requests of the others are sent separately.
/// - If one caller is cancelled, the others continue. The request is cancelled when no caller is left.
/// - The shared request has no time limit of its own, but each caller does. It uses the options of the first caller's request, such as
///   ``AttemptTimeout``.
/// - After a reset of the chain, no request receives a response from before the reset.
public final class DeduplicateLoader: Loader {
    private enum Outcome: Sendable {
        case response(HTTPResponse, [UInt8], ResponseNotes)
        case stream(LoadResponse)
        case failed(LoadError)
        case alone
        case expired
        case cancelled
    }

    /// The maximum number of bytes of a body that are buffered for several callers.
    package let bodyLimit: Int
    private let loads: Mutex<SharedLoads<Waiter<Outcome>>>

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - bodyLimit: The maximum number of bytes of a body that are buffered for several callers; 1 MiB by default.
    ///   - callerLimit: The maximum number of callers that share a request; 1,000 by default. Requests of further callers are sent
    ///     separately.
    public init(bodyLimit: Int = 1 << 20, callerLimit: Int = 1_000) {
        self.bodyLimit = max(0, bodyLimit)
        loads = Mutex(SharedLoads(callerLimit: callerLimit))
    }

    /// The position of the loader: ``LoaderPosition/deduplicate``.
    public var position: LoaderPosition? { .deduplicate }

    /// Waits for the response to an equal request in progress, or sends the request if there is none.
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

    /// Cancels requests in progress.
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
    /// The number of requests in progress.
    var loadCount: Int { loads.withLock(\.count) }
    /// The number of callers that wait for them.
    var callerCount: Int { loads.withLock(\.callerCount) }

    /// Joins or begins a shared request.
    ///
    /// - Returns: nil if the caller has to send its own request.
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
        // A stream of events has no end to wait for, even if it starts with few bytes.
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

    /// Gives the stream to the first caller that accepts it; the others send their own requests.
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
    /// Returns the same response with the ID of one of the requests that shared it.
    fileprivate func labelled(_ id: RequestID) -> LoadResponse {
        var response = self
        response.request = id
        if response.notes.sharedFrom == id { response.notes.sharedFrom = nil }
        return response
    }
}
