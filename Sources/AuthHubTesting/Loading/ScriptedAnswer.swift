public import AuthHubPrimitives
public import HTTPLoading
public import HTTPTypes

/// The response of a stub to a request.
public struct ScriptedAnswer: Sendable {
    let respond: @Sendable (LoadRequest) async throws(LoadError) -> LoadResponse

    /// Creates a response from a closure that can depend on the request, wait, or throw an error.
    public init(_ respond: @escaping @Sendable (LoadRequest) async throws(LoadError) -> LoadResponse) {
        self.respond = respond
    }

    /// Creates a response with the given status, header fields and body.
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) -> Self {
        Self { _ throws(LoadError) in
            LoadResponse(HTTPResponse(status: status, headerFields: headers), body: .bytes(body))
        }
    }

    /// Creates a response with a JSON body and the media type `application/json`.
    public static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Self {
        var headers = headers
        headers[.contentType] = headers[.contentType] ?? "application/json"
        return .status(status, headers: headers, body: value.serialized())
    }

    /// Creates a redirect without a body.
    public static func redirect(_ status: HTTPResponse.Status, to location: String) -> Self {
        .status(status, headers: [.location: location])
    }

    /// Creates a failure instead of a response: the request throws an error with this code.
    public static func failure(_ code: LoadError.Code) -> Self {
        Self { request throws(LoadError) in throw LoadError(code, for: request) }
    }
}
