import HTTPLoading
import HTTPTypes
import Synchronization

/// De-duplication: five identical requests are sent as one.
extension ChainExample {
    static func sharing(at servers: Servers) async throws {
        let turnstile = Turnstile(count: 5)
        let chain = try servers.chain(ModifyLoader { _ in turnstile.enter() }, DeduplicateLoader(), WaitingLoader(turnstile: turnstile))
        let numbers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    let response = try await chain.load(.get("/number"))
                    _ = try await response.text()
                    return HTTPField.Name("X-Number").flatMap { response.head.headerFields[$0] } ?? ""
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        show("de-duplicate", "\(numbers.count) loads, \(Set(numbers).count) request at the server")
    }
}

/// A barrier that holds requests until a certain number has arrived.
private final class Turnstile: Sendable {
    private let count: Mutex<Int>
    private let gate = AsyncStream<Void>.makeStream()

    init(count: Int) {
        self.count = Mutex(count)
    }

    func enter() {
        let isLast = count.withLock { count in
            count -= 1
            return count == 0
        }
        if isLast { gate.continuation.finish() }
    }

    func untilAllCame() async {
        for await _ in gate.stream {}
    }
}

/// The example's own loader, which can be anywhere in a chain.
private struct WaitingLoader: Loader {
    let turnstile: Turnstile

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        await turnstile.untilAllCame()
        return try await next(request)
    }
}
