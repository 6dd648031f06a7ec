// Signs in at a server of the Model Context Protocol, of which only the URL is known, and lists its tools.
//
//     authhub serve --persona mcp --port 8080        # prints a user and a password
//     swift run --package-path Examples ModelContextClient
//
// A program that users install registers its client once, and stores `registration.serialized()`.

import AuthHub
import HTTPTypes
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

let url = (CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080") + "/mcp"
let transport = TransportPolicy.insecureHTTPOnLoopbackForDevelopment

// Who issues tokens for the server, according to its own metadata?
let discovery = ServerDiscovery(
    dependencies: .network, transport: transport, allowedHosts: .publicHostsAndLoopbackForDevelopment)
let resource = try await discovery.resource(url)
let metadata = try await discovery.metadata(protecting: resource)
let server = ProviderProfile.issuer(try Issuer(metadata.issuer, transport: transport))
let dependencies = discovery.dependencies(protecting: resource)
print("\(resource.name ?? url) accepts tokens of \(metadata.issuer)")

let registration = try await AuthorizationServer(server, dependencies: dependencies).register(
    ClientMetadata(nativeProgram: "Example", redirectURIs: [.loopback]))

var configuration = OAuthSession.Configuration(
    server: server, client: try registration.client(at: server, redirectURI: .loopback, at: .now),
    scope: Scope(resource.scopes ?? []), grant: .authorizationCode(.system),
    store: try .platformDefault(service: "com.example.model-context-client"), dependencies: dependencies)
configuration.target.resources = [ResourceIndicator(resource.resource)].compactMap(\.self)
let session = OAuthSession(configuration)

struct Reply: Decodable { let result: Tools }
struct Tools: Decodable { let tools: [Tool] }
struct Tool: Decodable { let name: String, description: String }
let reply = try await session.load(
    .post(
        url, headers: [.contentType: "application/json", .accept: "application/json, text/event-stream"],
        body: .bytes(Array(#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#.utf8)))
).decode(Reply.self)
for tool in reply.result.tools { print("\(tool.name): \(tool.description)") }
