// Signs in at a server of the Model Context Protocol with only its URL, and lists its tools.
//
//     authhub serve --persona mcp --port 8080        # prints a user and a password
//     swift run --package-path Examples ModelContextClient

import AuthHub
import HTTPTypes
import OAuthProtocol

let url = (CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080") + "/mcp"

var configuration = ResourceSession.Configuration(
    resource: url, client: .registering(as: "Example"), grant: .authorizationCode(.system),
    store: try .platformDefault(service: "com.example.model-context-client"), dependencies: .network)
configuration.transport = .insecureHTTPOnLoopbackForDevelopment
let api = try ResourceSession(configuration)

struct Reply: Decodable { let result: Tools }
struct Tools: Decodable { let tools: [Tool] }
struct Tool: Decodable { let name: String, description: String }
let reply = try await api.load(
    .post(
        url, headers: [.contentType: "application/json", .accept: "application/json, text/event-stream"],
        body: .bytes(Array(#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#.utf8)))
).decode(Reply.self)
for tool in reply.result.tools { print("\(tool.name): \(tool.description)") }
