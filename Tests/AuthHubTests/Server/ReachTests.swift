import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Synchronization
import Testing

@testable import AuthHub

/// DD27: host names that resolve to a different address the second time (DNS rebinding).
struct ReachTests {
    private static let publicAddress = "93.184.215.14"
    private static let resource: JSONValue = ["resource": "https://api.example/v1", "authorization_servers": ["https://as.example"]]
    private static let issuer: JSONValue = [
        "issuer": "https://as.example", "token_endpoint": "https://token.example/token",
        "registration_endpoint": "https://10.0.0.1/register",
        "introspection_endpoint": "https://token.example/introspect",
    ]

    private static func transport() -> RoutedTransport {
        RoutedTransport([
            (.get("https://api.example/.well-known/oauth-protected-resource/v1"), .json(resource)),
            (.get("https://as.example/.well-known/oauth-authorization-server"), .json(issuer)),
            (.post("https://token.example/introspect"), .json(["active": true])),
        ])
    }

    /// A resolver that returns a private address from the second query on.
    private static func rebinding(_ hosts: Set<String>) -> @Sendable (String) async -> [String] {
        let asked = Mutex<Set<String>>([])
        return { host in
            let isFirst = asked.withLock { $0.insert(host).inserted }
            return isFirst || !hosts.contains(host) ? [publicAddress] : ["127.0.0.1"]
        }
    }

    @Test func `DD27: connects to the address that was checked`() async throws {
        let transport = Self.transport()
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.addresses = { _ in ["2606:2800:21f:cb07::1", Self.publicAddress] }
        let discovery = ServerDiscovery(dependencies: dependencies)
        let metadata = try await discovery.metadata(protecting: discovery.resource("https://api.example/v1"))
        #expect(metadata.issuer == "https://as.example")
        #expect(
            transport.requests.map { $0.options[ConnectionAddress.self] } == [nil, "2606:2800:21f:cb07::1"],
            "the program named the first host, a stranger the second")
    }

    @Test func `DD27: does not resolve the hosts that are reached through a proxy`() async throws {
        let transport = Self.transport()
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.addresses = { _ in [] }
        dependencies.isDirect = { $0.host != "as.example" }
        let discovery = ServerDiscovery(dependencies: dependencies)
        let metadata = try await discovery.metadata(protecting: discovery.resource("https://api.example/v1"))
        #expect(metadata.issuer == "https://as.example")
        #expect(transport.requests.allSatisfy { $0.options[ConnectionAddress.self] == nil })
    }

    @Test func `DD27: does not follow a host name that resolves to a private address the second time`() async throws {
        let transport = Self.transport()
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.addresses = Self.rebinding(["as.example"])
        let discovery = ServerDiscovery(dependencies: dependencies)
        let resource = try await discovery.resource("https://api.example/v1")
        let error = await #expect(throws: SessionError.self) { try await discovery.metadata(protecting: resource) }
        #expect(error?.code == .securityCheckFailed)
        #expect(transport.requests.compactMap(\.head.authority) == ["api.example"])
        #expect(
            try await discovery.answers(of: "https://as.example", protecting: resource).allSatisfy { answer in
                if case .failed(let error) = answer.outcome { error.code == .securityCheckFailed } else { false }
            })
    }

    @Test func `MC04: does not open a sign-in page that is in a private network`() async throws {
        let page = Mutex("https://as.example/authorize")
        let transport = RoutedTransport([
            (.get("https://api.example/.well-known/oauth-protected-resource/v1"), .json(Self.resource)),
            (
                .get("https://as.example/.well-known/oauth-authorization-server"),
                ScriptedAnswer { _ throws(LoadError) in
                    let document: JSONValue = [
                        "issuer": "https://as.example", "token_endpoint": "https://as.example/token",
                        "authorization_endpoint": .string(page.withLock { $0 }), "authorization_response_iss_parameter_supported": true,
                    ]
                    return LoadResponse(HTTPResponse(status: .ok), body: .bytes(document.serialized()))
                }
            ),
        ])
        let discovery = ServerDiscovery(dependencies: Dependencies(transport: transport) { start })
        let resource = try await discovery.resource("https://api.example/v1")
        // The server changes the URL after its metadata was checked.
        page.withLock { $0 = "https://10.0.0.1/reboot" }
        let opened = Mutex(0)
        let browser = ScriptedBrowser { _ in
            opened.withLock { $0 += 1 }
            return .cancelled
        }
        let session = OAuthSession(
            OAuthSession.Configuration(
                server: .issuer(try Issuer("https://as.example")), client: OAuthClient(id: "client"), grant: .authorizationCode(browser),
                store: MemoryCredentialStore(), dependencies: discovery.dependencies(protecting: resource)))
        let error = await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(error?.code == .securityCheckFailed)
        #expect(opened.withLock { $0 } == 0)
    }

    @Test func `DD27: checks the endpoints that an untrusted server names, too`() async throws {
        let transport = Self.transport()
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.addresses = { _ in [Self.publicAddress] }
        let discovery = ServerDiscovery(dependencies: dependencies)
        let resource = try await discovery.resource("https://api.example/v1")
        let metadata = try await discovery.metadata(protecting: resource)
        let profile = ProviderProfile.issuer(try Issuer(metadata.issuer)).applying(metadata)
        let server = AuthorizationServer(profile, dependencies: discovery.dependencies(protecting: resource))
        #expect(try await server.introspect(Secret("token"), as: OAuthClient(id: "client")).isActive)
        #expect(transport.requests.last?.options[ConnectionAddress.self] == Self.publicAddress)
        let count = transport.requests.count
        let client = ClientMetadata(nativeProgram: "test", redirectURIs: [.loopback])
        let error = await #expect(throws: SessionError.self) { try await server.register(client) }
        #expect(error?.code == .securityCheckFailed)
        #expect(transport.requests.count == count)
    }

    @Test func `DD27: tries the next address only if the first refuses the connection`() async throws {
        for (code, expected) in [(LoadError.Code.cannotConnect, 2), (.connectionLost, 1)] {
            let addresses = Mutex<[String?]>([])
            let transport = RoutedTransport([
                (
                    .any,
                    ScriptedAnswer { request throws(LoadError) in
                        let count = addresses.withLock { addresses in
                            addresses.append(request.options[ConnectionAddress.self])
                            return addresses.count
                        }
                        if count == 1 { throw LoadError(code, for: request) }
                        return LoadResponse(HTTPResponse(status: .ok))
                    }
                )
            ])
            var dependencies = Dependencies(transport: transport) { start }
            dependencies.addresses = { _ in ["2606:2800:21f:cb07::1", Self.publicAddress] }
            let chain = try Chain(transport: transport, [ReachLoader(.publicHosts, exempting: nil, by: dependencies)])
            _ = try? await chain.load(.get("https://as.example/"))
            #expect(addresses.withLock { $0 } == Array(["2606:2800:21f:cb07::1", Self.publicAddress].prefix(expected)))
        }
    }

    @Test func `DD27: sends no request to a host without an address`() async throws {
        let transport = RoutedTransport([(.any, .status(.ok))])
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.addresses = { _ in [] }
        let chain = try Chain(transport: transport, [ReachLoader(.publicHosts, exempting: nil, by: dependencies)])
        let error = await #expect(throws: LoadError.self) { try await chain.load(.get("https://as.example/")) }
        #expect(error?.code == .cannotConnect)
        #expect(transport.requests.isEmpty)
    }
}
