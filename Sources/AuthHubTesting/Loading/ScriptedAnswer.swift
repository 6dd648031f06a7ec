public import AuthHubPrimitives
public import HTTPLoading
public import HTTPTypes

/// What a scripted server does with a request.
public struct ScriptedAnswer: Sendable {
    let respond: @Sendable (LoadRequest) async throws(LoadError) -> LoadResponse

    /// An answer that depends on the request, takes its time, or fails.
    public init(_ respond: @escaping @Sendable (LoadRequest) async throws(LoadError) -> LoadResponse) {
        self.respond = respond
    }

    /// A response with a body of bytes.
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) -> Self {
        Self { _ throws(LoadError) in
            LoadResponse(HTTPResponse(status: status, headerFields: headers), body: .bytes(body))
        }
    }

    /// A JSON text with its media type.
    public static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Self {
        var headers = headers
        headers[.contentType] = headers[.contentType] ?? "application/json"
        return .status(status, headers: headers, body: value.serialized())
    }

    /// A redirect without a body.
    public static func redirect(_ status: HTTPResponse.Status, to location: String) -> Self {
        .status(status, headers: [.location: location])
    }

    /// No response at all.
    public static func failure(_ code: LoadError.Code) -> Self {
        Self { request throws(LoadError) in throw LoadError(code, for: request) }
    }
}
