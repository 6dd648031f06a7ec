import AuthHubPrimitives
public import HTTPTypes

/// A loader that follows redirects (RFC 9110 §15.4). Transports do not follow redirects, so that the same rules apply to all transports.
///
/// A redirect without a valid `Location` is returned as a response. A redirect that must not be followed is an error. All other responses
/// are returned unchanged.
///
/// A redirect to another origin carries only header fields that cannot contain a secret: `Accept`, `Accept-Encoding`, `Accept-Language`,
/// `Range` and `User-Agent`. Even these are removed if the request's ``ServerEnvironment`` contains a field with the same name. A redirect
/// that would send the body to another origin is not followed. A request whose ``RedirectScope`` is `.sameOrigin` never leaves its origin.
/// If a request was sent without a credential of the chain, no request that follows from its redirects carries one, whichever server it
/// is for: otherwise, a server that gets no credential could choose an authenticated request.
public struct RedirectLoader: Loader {
    private let maximumHops: Int
    private let fieldsForOtherOrigins: Set<HTTPField.Name>

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - maximumHops: The maximum number of redirects that are followed for one request; 10 by default.
    ///   - fieldsForOtherOrigins: The names of additional header fields to send to other origins. Never name a field that contains a
    ///     secret, because the redirecting server decides who receives it. `Authorization`, `Cookie`, `Proxy-Authorization`, `DPoP` and
    ///     `Referer` are never sent to another origin, even if you name them here.
    public init(maximumHops: Int = 10, fieldsForOtherOrigins: [HTTPField.Name] = []) {
        self.maximumHops = maximumHops
        self.fieldsForOtherOrigins = Self.harmlessFields.union(fieldsForOtherOrigins).subtracting(Self.credentialFields)
    }

    /// The position of the loader: ``LoaderPosition/redirect``.
    public var position: LoaderPosition? { .redirect }

    /// Sends the request and follows redirects.
    ///
    /// - Throws: ``LoadError`` with `.bodySpent` if the redirect requires sending the body again, but it can be read only once; with
    ///   `.redirectRefused` if there are too many redirects or a loop, or if a redirect leads from https to http or from http on this
    ///   machine to http on another host, leaves the request's ``RedirectScope``, or would send a body to another origin.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let response = try await next(request)
        guard Redirect.statuses.contains(response.status.code) else { return response }
        do throws(LoadError) {
            return try await follow(response, to: request, next: next)
        } catch {
            // The first server has received the request and may have acted on it, no matter what happened afterwards.
            throw error.afterSending()
        }
    }

    // In a separate function, because most requests are not redirected and need no stack space for it.
    private func follow(_ first: LoadResponse, to request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        var response = first
        var current = request
        var visited: Set<Visit> = []
        var notes = ResponseNotes()
        while let here = RequestTarget(current.head), let redirect = Redirect(response.head, of: current, at: here) {
            visited.insert(Visit(method: current.head.method, target: here))
            try check(redirect, from: here, after: visited, hops: notes.redirects.count, with: current.body, for: request)
            await response.body.drain()
            notes.add(response.notes)
            current = follow(redirect, with: current, from: here)
            // A server that gets no credential must not choose a request that carries one.
            if !response.notes.isAuthorized { current.options[CredentialRule.self] = .none }
            if let origin = Origin(current.head) { notes.redirects.append(origin) }
            response = try await next(current)
        }
        response.notes.add(notes)
        return response
    }

    private func check(
        _ redirect: Redirect, from here: RequestTarget, after visited: Set<Visit>, hops: Int, with body: RequestBody,
        for request: LoadRequest
    ) throws(LoadError) {
        if here.scheme == "https", redirect.target.scheme != "https" {
            throw LoadError(.redirectRefused, for: request, explanation: "the redirect leads from https to http")
        }
        let (origin, target) = (Origin(url: here.url), Origin(url: redirect.target.url))
        if redirect.target.scheme == "http", origin?.isLoopback ?? false, !(target?.isLoopback ?? false) {
            throw LoadError(.redirectRefused, for: request, explanation: "the redirect leads from this machine to http on another host")
        }
        if target != origin {
            if request.options[RedirectScope.self] == .sameOrigin {
                throw LoadError(.redirectRefused, for: request, explanation: "the redirect leads to another origin")
            }
            if redirect.keepsBody, body.length != 0 {
                throw LoadError(.redirectRefused, for: request, explanation: "the redirect would send the request's body to another origin")
            }
        }
        if visited.contains(Visit(method: redirect.method, target: redirect.target)) {
            throw LoadError(.redirectRefused, for: request, explanation: "the redirect leads back to an earlier URL")
        }
        if redirect.keepsBody, !body.canBeSent {
            throw LoadError(
                .bodySpent, for: request, explanation: "the redirect requires sending the request body again, but it can only be sent once")
        }
        if hops >= maximumHops {
            throw LoadError(.redirectRefused, for: request, explanation: "there were more than \(maximumHops) redirects")
        }
    }

    private func follow(_ redirect: Redirect, with request: LoadRequest, from here: RequestTarget) -> LoadRequest {
        var following = request
        following.head.method = redirect.method
        following.head.setTarget(redirect.target)
        if !redirect.keepsBody {
            following.body = .empty
            for name in Self.bodyFields { following.head.headerFields[name] = nil }
        }
        if Origin(following.head) != Origin(request.head) {
            let fieldsOfEnvironment = request.options[ServerEnvironment.self]?.fields(of: request.head) ?? []
            let names = fieldsForOtherOrigins.subtracting(fieldsOfEnvironment)
            following.head.headerFields = following.head.headerFields.filter { names.contains($0.name) }
        }
        return following
    }

    /// Fields that describe what is requested and which program requests it. None of them contains a secret.
    private static let harmlessFields: Set<HTTPField.Name> = [.accept, .acceptEncoding, .acceptLanguage, .range, .userAgent]

    private static let credentialFields: [HTTPField.Name] =
        [.authorization, .cookie, .proxyAuthorization, .referer] + ["DPoP"].compactMap { HTTPField.Name($0) }

    /// Fields that describe a body that is no longer sent (RFC 9110 §15.4), or a condition that applied to it.
    private static let bodyFields: [HTTPField.Name] =
        [.contentEncoding, .contentLanguage, .contentLength, .contentLocation, .contentType, .lastModified]
        + ["Digest", "Content-Digest", "Repr-Digest", "Idempotency-Key"].compactMap { HTTPField.Name($0) }
}

extension ServerEnvironment {
    /// Returns the names of fields that a request got from this environment, or may have got; empty if the request is for another origin.
    fileprivate func fields(of head: HTTPRequest) -> [HTTPField.Name] {
        Origin(head) == origin ? headerFields.map(\.name) : []
    }
}

/// A request that was sent, to detect loops.
private struct Visit: Hashable {
    let method: HTTPRequest.Method
    let target: RequestTarget
}

/// The request that a redirect asks for; nil if it is not a redirect that can be followed.
private struct Redirect {
    let target: RequestTarget
    let method: HTTPRequest.Method
    let keepsBody: Bool

    init?(_ response: HTTPResponse, of request: LoadRequest, at here: RequestTarget) {
        let locations = response.headerFields[values: .location]
        guard Self.statuses.contains(response.status.code), locations.count == 1, let target = here.resolving(locations[0]) else {
            return nil
        }
        let method = request.head.method
        switch (response.status.code, method) {
        case (301, .post), (302, .post), (303, _):
            self.method = method == .head ? .head : .get
            keepsBody = false
        default:
            self.method = method
            keepsBody = true
        }
        self.target = target
    }

    static let statuses = [301, 302, 303, 307, 308]
}
