import AsyncHTTPClient
import AuthHubPrimitives
import NIOCore
import NIOHTTP1

/// A plain HTTP client: it does not follow redirects, store cookies or correct errors.
struct RawClient: Sendable {
    let http: HTTPClient

    struct Response: Sendable {
        let status: Int
        let headers: [(name: String, value: String)]
        let text: String

        var json: JSONValue { (try? JSONValue(strict: text.utf8)) ?? .null }
        var form: FormParameters { (try? FormParameters(decoding: text)) ?? FormParameters() }

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// The parameters of a redirect, after a question mark or a number sign.
        var redirectParameters: FormParameters {
            let parts = (header("Location") ?? "").split(maxSplits: 1) { $0 == "?" || $0 == "#" }
            return parts.count == 2 ? (try? FormParameters(decoding: parts[1])) ?? FormParameters() : FormParameters()
        }
    }

    func get(_ url: String, headers: [String: String] = [:]) async throws -> Response {
        try await send(.GET, url, headers: headers)
    }

    func post(_ url: String, form: FormParameters, headers: [String: String] = [:]) async throws -> Response {
        try await send(
            .POST, url, headers: headers.merging(["Content-Type": "application/x-www-form-urlencoded"]) { first, _ in first },
            body: form.encoded())
    }

    func send(_ method: HTTPMethod, _ url: String, headers: [String: String] = [:], body: String? = nil) async throws -> Response {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.headers = HTTPHeaders(headers.map { ($0.key, $0.value) })
        if !headers.keys.contains("User-Agent") { request.headers.add(name: "User-Agent", value: "tests") }
        if headers["User-Agent"] == "" { request.headers.remove(name: "User-Agent") }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await http.execute(request, timeout: .minutes(10))
        let bytes = try await response.body.collect(upTo: 4 << 20)
        return Response(
            status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) }, text: String(buffer: bytes))
    }
}

extension [String: String] {
    static func bearer(_ token: String) -> Self { ["Authorization": "Bearer \(token)"] }

    /// HTTP Basic with form-encoded parts (RFC 6749 §2.3.1).
    static func basic(_ name: String, _ password: String) -> Self {
        let text = FormParameters.encode(name) + ":" + FormParameters.encode(password)
        let bare = Base64URL.encode(Array(text.utf8)).replacing("-", with: "+").replacing("_", with: "/")
        return ["Authorization": "Basic " + bare + String(repeating: "=", count: (4 - bare.count % 4) % 4)]
    }
}
