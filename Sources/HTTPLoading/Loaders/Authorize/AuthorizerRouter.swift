public import AuthHubPrimitives
public import HTTPTypes

/// Several authorizers in the place of one: each request gets its credential from the one its ``Authentication`` option names, else from
/// the first in the list that covers its origin.
///
/// ```swift
/// let router = try AuthorizerRouter([.init("github", session.authorizer), .init("internal", basic)])
/// let chain = try Chain(transport: transport) { RedirectLoader(); AuthorizeLoader(router) }
/// request.options[Authentication.self] = .named("internal")
/// ```
///
/// Each attempt and each hop of a redirect is judged anew. An authorizer's own origins stand whatever the option says.
public struct AuthorizerRouter: Authorizer {
    /// An authorizer and the name that requests call it by.
    public struct Route: Sendable {
        let name: String
        let authorizer: any Authorizer

        /// - Parameter name: For ``Authentication/named(_:)``, and for errors, which show it.
        public init(_ name: String, _ authorizer: some Authorizer) {
            self.name = name
            self.authorizer = authorizer
        }
    }

    /// A credential together with the authorizer it came from.
    public struct Credential: Sendable {
        let apply: @Sendable (inout HTTPRequest) throws(LoadError) -> Void
        let replacement: @Sendable (HTTPResponse, LoadRequest) async throws(LoadError) -> Credential?
        let lastReplacement: @Sendable (HTTPResponse, LoadRequest) async throws(LoadError) -> Credential?
    }

    let routes: [Route]

    /// - Parameter routes: Where several cover an origin, the first of them serves it.
    /// - Throws: ``LoadError`` with `.invalidRequest` where two have the same name.
    public init(_ routes: [Route]) throws(LoadError) {
        let names = routes.map(\.name)
        guard Set(names).count == names.count else {
            throw LoadError(.invalidRequest, explanation: "two authorizers have the same name, among \(names.joined(separator: ", "))")
        }
        self.routes = routes
    }

    public func covers(_ origin: Origin, options: RequestOptions) -> Bool {
        switch options[Authentication.self] {
        case .automatic: routes.contains { $0.authorizer.covers(origin, options: options) }
        case .none: false
        // One that nobody knows is an error, which credential(for:) throws.
        case .named(let name): route(named: name)?.authorizer.covers(origin, options: options) ?? true
        }
    }

    /// - Throws: ``LoadError`` with `.notAuthorized` where no authorizer has the name that the request calls for; what the authorizer throws.
    public func credential(for request: LoadRequest) async throws(LoadError) -> Credential {
        guard let origin = Origin(request.head), let route = route(to: origin, options: request.options) else {
            let names = routes.map(\.name).joined(separator: ", ")
            throw LoadError(.notAuthorized, for: request, explanation: "no authorizer has the requested name; the names are \(names)")
        }
        return try await route.authorizer.routedCredential(for: request)
    }

    public func apply(_ credential: Credential, to head: inout HTTPRequest) throws(LoadError) {
        try credential.apply(&head)
    }

    public func replacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential? {
        try await credential.replacement(response, request)
    }

    public func lastReplacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential? {
        try await credential.lastReplacement(response, request)
    }

    /// Resets each authorizer, in the list's order, whatever becomes of the others; one that stands there under several names once.
    ///
    /// - Throws: ``ResetFailures`` where some could not do their part.
    public func reset(_ context: ResetContext) async throws {
        var reached: Set<ObjectIdentifier> = []
        var failures: [ResetFailures.Failure] = []
        for route in routes {
            if let identity = route.authorizer.objectIdentity, !reached.insert(identity).inserted { continue }
            do {
                try await route.authorizer.reset(context)
            } catch {
                failures.append(.init(name: route.name, error: error))
            }
        }
        if !failures.isEmpty { throw ResetFailures(failures: failures) }
    }

    private func route(to origin: Origin, options: RequestOptions) -> Route? {
        switch options[Authentication.self] {
        case .automatic: routes.first { $0.authorizer.covers(origin, options: options) }
        case .none: nil
        case .named(let name): route(named: name)
        }
    }

    private func route(named name: String) -> Route? {
        routes.first { $0.name == name }
    }
}

extension AuthorizerRouter {
    /// What the authorizers of a router could not reset; those that are not named here have done their part.
    public struct ResetFailures: Error, CustomStringConvertible {
        public struct Failure: Sendable {
            /// The name of the authorizer.
            public let name: String
            public let error: any Error
        }

        /// In the order of the list.
        public let failures: [Failure]

        public var description: String {
            "not reset: \(failures.map(\.name).joined(separator: ", "))"
        }
    }
}

extension Authorizer {
    fileprivate func routedCredential(for request: LoadRequest) async throws(LoadError) -> AuthorizerRouter.Credential {
        routed(try await credential(for: request))
    }

    private func routed(_ credential: Credential) -> AuthorizerRouter.Credential {
        AuthorizerRouter.Credential { head throws(LoadError) in
            try self.apply(credential, to: &head)
        } replacement: { response, request async throws(LoadError) in
            try await self.replacement(for: credential, refusedBy: response, request: request).map { self.routed($0) }
        } lastReplacement: { response, request async throws(LoadError) in
            try await self.lastReplacement(for: credential, refusedBy: response, request: request).map { self.routed($0) }
        }
    }

    /// What tells whether two are the same object; nil for a value.
    fileprivate var objectIdentity: ObjectIdentifier? {
        Self.self is AnyObject.Type ? ObjectIdentifier(self as AnyObject) : nil
    }
}
