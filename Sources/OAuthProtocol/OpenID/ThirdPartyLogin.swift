public import AuthHubPrimitives
public import HTTPTypes

/// A request from another site to sign a user in (OpenID Connect Core 1.0 §4): a provider, or any page, sends the user's browser to the
/// client's `initiate_login_uri`.
///
/// Anyone can make a browser send such a request. It never signs a user in by itself: start a new sign-in at the issuer, and go to the target
/// afterwards. Send the response of that URL with `X-Frame-Options: DENY`, so that no page can start the sign-in in a hidden frame.
public struct ThirdPartyLogin: Sendable, Hashable {
    /// The issuer to sign in at, which is one of the known issuers.
    public let issuer: String
    /// The user to sign in; pass it on as the `loginHint` of `SignInOptions`.
    public let loginHint: String?
    /// The URL of the page to show after the sign-in, whose origin is one of the allowed origins.
    public let target: String?

    /// Reads a request, whose parameters are in the query of a GET request or in the form of a POST request.
    ///
    /// - Parameters:
    ///   - body: The body of the request.
    ///   - knownIssuers: The issuers at which the program signs users in.
    ///   - targetOrigins: The origins of the program's own pages.
    /// - Throws: ``OAuthError``: `.securityCheckFailed` if the issuer is not known, or the target is on another origin;
    ///   `.invalidResponse` if the request is not of this kind.
    public init(
        _ request: HTTPRequest, body: [UInt8] = [], knownIssuers: Set<String>, targetOrigins: Set<Origin>
    ) throws(OAuthError) {
        let parameters = try Self.parameters(of: request, body)
        guard let issuer = parameters["iss"] else {
            throw OAuthError(.invalidResponse, "the request to sign in names no issuer (iss)")
        }
        guard let known = knownIssuers.first(where: { $0.hasSameBytes(as: issuer) }) else {
            throw OAuthError(.securityCheckFailed, "the request to sign in names an issuer that is not known")
        }
        let target = parameters["target_link_uri"]
        if let target {
            guard let origin = Origin(url: target), targetOrigins.contains(origin) else {
                throw OAuthError(.securityCheckFailed, "the request to sign in leads to a page that does not belong to this program")
            }
        }
        self.issuer = known
        loginHint = parameters["login_hint"].flatMap { $0.isEmpty ? nil : $0 }
        self.target = target
    }

    private static let sizeLimit = 64 * 1024

    private static func parameters(of request: HTTPRequest, _ body: [UInt8]) throws(OAuthError) -> FormParameters {
        let bytes: [UInt8]?
        switch request.method {
        case .get:
            let parts = (request.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            bytes = parts.dropFirst().first.map { Array($0.utf8) }
        case .post: bytes = body
        default: bytes = nil
        }
        guard let bytes, bytes.count <= sizeLimit else {
            throw OAuthError(.invalidResponse, "the request to sign in is neither a GET request with a query nor a form")
        }
        let parameters = FormParameters(received: bytes)
        for name in ["iss", "target_link_uri", "login_hint"] where parameters[name] != nil && parameters.exact(name) == nil {
            throw OAuthError(.invalidResponse, "the request to sign in has the parameter \(name) twice, or it cannot be decoded")
        }
        return parameters
    }
}
