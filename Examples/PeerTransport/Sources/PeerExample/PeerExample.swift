import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization

/// An example of a connection between two peers: the left one has no network, and the right one sends its requests.
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
        let rightChain = try Chain(transport: server) { RetryLoader(RetryPolicy(backoff: .immediate)) }
        let service = PeerService(rightChain, origins: [Origin(scheme: "https", host: "api.example.com", port: 443)])
        let serving = Task { await service.serve(right) }
        let chain = try Chain(transport: PeerTransport(left), [RedirectLoader()])

        let user = try await chain.load(.get("https://api.example.com/user"))
        report("a request crosses to the peer, and its response comes back", try await text(of: user) == #"{"name":"Mona"}"#)
        let note = try await chain.load(.post("https://api.example.com/notes", body: .bytes(Array("milk".utf8), contentType: "text/plain")))
        report("so does a body", note.status == .created)
        report("the peer's own loaders do their work", try await chain.load(.get("https://api.example.com/busy")).status == .ok)
        report("the peer serves no other origin", await code(chain, "https://other.example.com/") == .cannotConnect)

        let slow = Task { await code(chain, "https://api.example.com/slow") }
        await server.untilRequested(5)
        slow.cancel()
        for await _ in cancelled.stream {}
        report("a load that is cancelled is cancelled at the peer, too", await slow.value == .cancelled)

        let lost = Task { await code(chain, "https://api.example.com/slow") }
        await server.untilRequested(6)
        right.close()
        report("a connection that ends ends what is under way", await lost.value == .connectionLost)
        report("and what comes later is not sent", await code(chain, "https://api.example.com/user") == .cannotConnect)
        await serving.value
    }

    private static func report(_ rule: String, _ holds: Bool) {
        print(holds ? "ok peer transport: \(rule)" : "FAILED peer transport: \(rule)")
    }

    private static func text(of response: LoadResponse) async throws(LoadError) -> String {
        String(decoding: try await response.body.collect(upTo: 1_000), as: UTF8.self)
    }

    private static func code(_ chain: Chain, _ url: String) async -> LoadError.Code? {
        do throws(LoadError) {
            _ = try await chain.load(.get(url))
            return nil
        } catch {
            return error.code
        }
    }
}
