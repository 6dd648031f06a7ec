import HTTPTypes
import Synchronization

@testable import HTTPLoading

/// A transport that holds each request until the test releases it, and counts the requests.
final class HoldingTransport: Transport {
    typealias Answer = @Sendable (LoadRequest) async throws(LoadError) -> LoadResponse

    private struct State {
        var requests: [LoadRequest] = []
        var held: [(id: Int, waiter: Waiter<Bool>)] = []
        var running = 0
        var peak = 0
        var cancelled = 0
    }

    private let isStubborn: Bool
    private let answer: Answer
    private let state = Mutex(State())

    /// - Parameter isStubborn: Whether a cancelled request is still held, and gets a response when it is released.
    init(
        isStubborn: Bool = false,
        answer: @escaping Answer = { _ throws(LoadError) in LoadResponse(HTTPResponse(status: .ok), body: .bytes(Array("held".utf8))) }
    ) {
        self.isStubborn = isStubborn
        self.answer = answer
    }

    var requests: [LoadRequest] { state.withLock(\.requests) }
    var running: Int { state.withLock(\.running) }
    var peak: Int { state.withLock(\.peak) }
    var cancelled: Int { state.withLock(\.cancelled) }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let waiter = Waiter<Bool>()
        let id = state.withLock { state in
            state.requests.append(request)
            state.running += 1
            state.peak = max(state.peak, state.running)
            state.held.append((state.requests.count, waiter))
            return state.requests.count
        }
        let isReleased = isStubborn ? await Task { await waiter.wait(orIfCancelled: false) }.value : await waiter.wait(orIfCancelled: false)
        state.withLock { state in
            state.running -= 1
            state.held.removeAll { $0.id == id }
            if !isReleased { state.cancelled += 1 }
        }
        guard isReleased else { throw LoadError(.cancelled, for: request) }
        return try await answer(request)
    }

    /// Releases this number of held requests, in order of arrival.
    ///
    /// - Parameter index: The number of requests to skip.
    func release(_ count: Int = 1, from index: Int = 0) {
        let released = state.withLock { state in
            let released = state.held.dropFirst(index).prefix(count)
            state.held.removeSubrange(released.indices)
            return Array(released)
        }
        for (_, waiter) in released { waiter.settle(true) }
    }

    /// Waits until this many requests have arrived in total.
    func untilSent(_ count: Int) async {
        await until { self.state.withLock { $0.requests.count } >= count }
    }
}
