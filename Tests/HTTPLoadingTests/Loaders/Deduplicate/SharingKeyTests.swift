import AuthHubTesting
import HTTPTypes
import Synchronization
import Testing

@testable import HTTPLoading

@Suite(.timeLimit(.minutes(15)))
struct SharingKeyTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var first = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/")
        var second = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/")
        var body = RequestBody.empty
        var firstKey = DeduplicationKey.derived
        var secondKey = DeduplicationKey.derived
        var secrets = ("a", "a")
        let isShared: Bool
    }

    /// An option that makes requests differ.
    private enum Secret: RequestOption {
        static var defaultValue: String { "" }
        static func identity(of value: String) -> (any Hashable & Sendable)? { value }
    }

    private static func head(
        _ method: HTTPRequest.Method = .get, authority: String = "example.com", path: String = "/", fields: HTTPFields = [:]
    ) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "https", authority: authority, path: path, headerFields: fields)
    }

    @Test(arguments: [
        Pair(testDescription: "the same", isShared: true),
        Pair(testDescription: "another query", second: head(path: "/?a"), isShared: false),
        Pair(testDescription: "another host", second: head(authority: "other.example"), isShared: false),
        Pair(testDescription: "another method", second: head(.head), isShared: false),
        Pair(testDescription: "HEAD", first: head(.head), second: head(.head), isShared: true),
        Pair(testDescription: "another header field", second: head(fields: [.accept: "text/plain"]), isShared: false),
        Pair(
            testDescription: "another value", first: head(fields: [.accept: "*/*"]), second: head(fields: [.accept: "text/plain"]),
            isShared: false),
        Pair(testDescription: "the same relevant options", secrets: ("b", "b"), isShared: true),
        Pair(testDescription: "different relevant options", secrets: ("a", "b"), isShared: false),
        Pair(testDescription: "an unsafe method", first: head(.post), second: head(.post), isShared: false),
        Pair(testDescription: "a body", body: .bytes([1]), isShared: false),
        Pair(testDescription: "one that must not be coalesced", secondKey: .never, isShared: false),
        Pair(
            testDescription: "the same named key for other paths and fields", first: head(path: "/a"),
            second: head(path: "/b", fields: [.accept: "a/b"]),
            firstKey: .explicit("k"), secondKey: .explicit("k"), isShared: true),
        Pair(
            testDescription: "the same named key for unsafe methods", first: head(.put), second: head(.put), body: .bytes([1]),
            firstKey: .explicit("k"), secondKey: .explicit("k"), isShared: true),
        Pair(testDescription: "another named key", firstKey: .explicit("k"), secondKey: .explicit("l"), isShared: false),
        Pair(
            testDescription: "the same named key at another origin", second: head(authority: "other.example"),
            firstKey: .explicit("k"), secondKey: .explicit("k"), isShared: false),
        Pair(
            testDescription: "the same named key with other credentials", first: head(fields: [.authorization: "a"]),
            second: head(fields: [.authorization: "b"]), firstKey: .explicit("k"), secondKey: .explicit("k"), isShared: false),
        Pair(
            testDescription: "the same named key with other cookies", first: head(fields: [.cookie: "a=1"]),
            second: head(fields: [.cookie: "a=2"]),
            firstKey: .explicit("k"), secondKey: .explicit("k"), isShared: false),
        Pair(
            testDescription: "the same named key with different relevant options", firstKey: .explicit("k"), secondKey: .explicit("k"),
            secrets: ("a", "b"), isShared: false),
    ])
    func `coalesces requests if both the request and the requester are the same`(pair: Pair) async throws {
        let transport = HoldingTransport()
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        var requests = [LoadRequest(pair.first, body: pair.body), LoadRequest(pair.second, body: pair.body)]
        requests[0].options[DeduplicationKey.self] = pair.firstKey
        requests[1].options[DeduplicationKey.self] = pair.secondKey
        requests[0].options[Secret.self] = pair.secrets.0
        requests[1].options[Secret.self] = pair.secrets.1
        let first = chain.begin(requests[0])
        await transport.untilSent(1)
        let second = chain.begin(requests[1])
        if pair.isShared { await until { loader.callerCount == 2 } } else { await transport.untilSent(2) }
        transport.release(2)
        #expect(try await first.value.get() == Array("held".utf8))
        #expect(try await second.value.get() == Array("held".utf8))
        #expect(transport.requests.count == (pair.isShared ? 1 : 2))
        #expect(loader.loadCount == 0)
    }

    @Test func `a key reveals nothing of the request`() throws {
        let keys = Mutex<[SharingKey]>([])
        var request = try SharedLoads.get("https://example.com/canary", headers: [.authorization: "canary"])
        request.options[Secret.self] = "canary"
        let next = Next(chain: try Chain(transport: RoutedTransport([])), epoch: Epoch())
        for key in [SharingKey(request, next: next)].compactMap({ $0 }) { keys.withLock { $0.append(key) } }
        #expect(keys.withLock { $0.count } == 1)
        #expect(!dumped(keys.withLock { $0 }).contains("canary"))
    }
}
