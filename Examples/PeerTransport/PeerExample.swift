import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization

/// A transport without a network: the left peer passes its requests to the right one, which sends them through its own chain.
///
///     swift run --package-path Examples PeerTransport
///
/// Both run in one process here. The messages between them are bytes, so a socket can replace the link. Each body is one message of at most
/// 1 MiB, and the peers do not authenticate each other: a real connection has to.
@main
struct PeerExample {
    static func main() async throws {
        let cancelled = AsyncStream<Void>.makeStream()
        let busy = Mutex(true)
        let server = RoutedTransport([
            (.get("https://api.example.com/user"), .json(["name": "Mona"])),
            (.post("https://api.example.com/notes").and("the note") { $0.body.bytes == Array("milk".utf8) }, .status(.created)),
            (
                .get("https://api.example.com/busy"),
                ScriptedAnswer { _ throws(LoadError) in
                    let isBusy = busy.withLock { busy in
                        defer { busy = false }
                        return busy
                    }
                    return LoadResponse(HTTPResponse(status: isBusy ? .serviceUnavailable : .ok))
                }
            ),
            (
                .get("https://api.example.com/slow"),
                ScriptedAnswer { request throws(LoadError) in
                    defer { cancelled.continuation.finish() }
                    return try await ScriptedTransport([.init(.any, .never)]).send(request)
                }
            ),
        ])
        let (left, right) = PeerLink.pair()
        let rightChain = try Chain(transport: server) { RetryLoader(RetryPolicy(backoff: .constant(.zero))) }
        let service = PeerService(rightChain, origins: [Origin(scheme: "https", host: "api.example.com", port: 443)])
        let serving = Task { await service.serve(right) }
        let chain = try Chain(transport: PeerTransport(left), [RedirectLoader()])

        let user = try await chain.load(.get("https://api.example.com/user"))
        print("a response through the peer: \(try await text(of: user))")
        let note = try await chain.load(.post("https://api.example.com/notes", body: .bytes(Array("milk".utf8), contentType: "text/plain")))
        print("a request with a body: \(note.status.code)")
        print("a request that the peer retries: \(try await chain.load(.get("https://api.example.com/busy")).status.code)")
        print("an origin that the peer does not serve: \(await outcome(chain, "https://other.example.com/"))")

        let slow = Task { await outcome(chain, "https://api.example.com/slow") }
        await server.untilRequested(5)
        slow.cancel()
        for await _ in cancelled.stream {}
        print("a request that is cancelled here and at the peer: \(await slow.value)")

        let lost = Task { await outcome(chain, "https://api.example.com/slow") }
        await server.untilRequested(6)
        right.close()
        print("a request when the connection ends: \(await lost.value)")
        print("a request after that: \(await outcome(chain, "https://api.example.com/user"))")
        await serving.value
    }

    private static func text(of response: LoadResponse) async throws(LoadError) -> String {
        String(decoding: try await response.body.collect(upTo: 1_000), as: UTF8.self)
    }

    private static func outcome(_ chain: Chain, _ url: String) async -> String {
        do throws(LoadError) {
            return "\(try await chain.load(.get(url)).status.code)"
        } catch {
            return "\(error.code)"
        }
    }
}
