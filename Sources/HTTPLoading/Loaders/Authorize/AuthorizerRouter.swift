public import AuthHubPrimitives
public import HTTPTypes

/// An authorizer that combines several others. For each request, it uses the authorizer that the request's ``Authentication`` option names,
/// or otherwise the first one in the list that covers the request's origin.
///
/// ```swift
/// let router = try AuthorizerRouter([.init("github", session.authorizer), .init("internal", basic)])
/// let chain = try Chain(transport: transport) { RedirectLoader(); AuthorizeLoader(router) }
/// request.options[Authentication.self] = .named("internal")
/// ```
///
/// Each attempt and each hop of a redirect is checked separately. An authorizer is only used for the origins that it covers, even if the
/// option names it.
public struct AuthorizerRouter: Authorizer {
    /// An authorizer, and the name that requests use for it.
    public struct Route: Sendable {
        let name: String
        let authorizer: any Authorizer

        /// Creates a route.
        ///
        /// - Parameter name: The name for ``Authentication/named(_:)``, which also appears in errors.
        public init(_ name: String, _ authorizer: some Authorizer) {
            self.name = name
            self.authorizer = authorizer
        }
    }

    /// A credential, together with the authorizer that provided it.
    public struct Credential: Sendable {
        let apply: @Sendable (inout HTTPRequest) throws(LoadError) -> Void
        let replacement: @Sendable (HTTPResponse, LoadRequest) async throws(LoadError) -> Credential?
        let lastReplacement: @Sendable (HTTPResponse, LoadRequest) async throws(LoadError) -> Credential?
    }

    let routes: [Route]

    /// Creates a router.
    ///
    /// - Parameter routes: The authorizers. If several cover an origin, the first one is used.
    /// - Throws: ``LoadError`` with `.invalidRequest` if two routes have the same name.
    public init(_ routes: [Route]) throws(LoadError) {
        let names = routes.map(\.name)
        guard Set(names).count == names.count else {
            throw LoadError(
                .invalidRequest, explanation: "two authorizers have the same name; the names are \(names.joined(separator: ", "))")
        }
        self.routes = routes
    }

    /// Returns whether the authorizer that the options select covers the origin. If no authorizer has the name in the options, returns
    /// true, so that ``credential(for:)`` can throw an error.
    public func covers(_ origin: Origin, path: String, options: RequestOptions) -> Bool {
        switch options[Authentication.self] {
        case .automatic: routes.contains { $0.authorizer.covers(origin, path: path, options: options) }
        case .none: false
        // An unknown name is an error, which credential(for:) throws.
        case .named(let name): route(named: name)?.authorizer.covers(origin, path: path, options: options) ?? true
        }
    }

    /// Returns the credential of the authorizer that is selected for the request.
    ///
    /// - Throws: ``LoadError`` with `.notAuthorized` if no authorizer has the name in the request's option; otherwise, the authorizer's
    ///   error.
    public func credential(for request: LoadRequest) async throws(LoadError) -> Credential {
        guard let origin = Origin(request.head), let route = route(to: origin, path: request.head.path ?? "/", options: request.options)
        else {
            let names = routes.map(\.name).joined(separator: ", ")
            throw LoadError(.notAuthorized, for: request, explanation: "no authorizer has the requested name; the names are \(names)")
        }
        return try await route.authorizer.routedCredential(for: request)
    }

    /// Calls the authorizer that provided the credential, so that it adds the credential to a request.
    public func apply(_ credential: Credential, to head: inout HTTPRequest) throws(LoadError) {
        try credential.apply(&head)
    }

    /// Returns a replacement from the authorizer that provided the credential.
    public func replacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential? {
        try await credential.replacement(response, request)
    }

    /// Returns the last replacement from the authorizer that provided the credential.
    public func lastReplacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential? {
        try await credential.lastReplacement(response, request)
    }

    /// Resets each authorizer in the order of the list, even if others fail. An authorizer with several names is reset once.
    ///
    /// - Throws: One error that names all authorizers whose reset failed.
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

    private func route(to origin: Origin, path: String, options: RequestOptions) -> Route? {
        switch options[Authentication.self] {
        case .automatic: routes.first { $0.authorizer.covers(origin, path: path, options: options) }
        case .none: nil
        case .named(let name): route(named: name)
        }
    }

    private func route(named name: String) -> Route? {
        routes.first { $0.name == name }
    }
}

extension AuthorizerRouter {
    /// The authorizers of a router that could not be reset. Authorizers that are not listed were reset.
    package struct ResetFailures: Error, CustomStringConvertible {
        /// An authorizer that could not be reset.
        package struct Failure: Sendable {
            /// The name of the authorizer.
            package let name: String
            /// The error that the authorizer's reset threw.
            package let error: any Error
        }

        /// The failures, in the order of the list.
        package let failures: [Failure]

        package var description: String {
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

    /// The identity of the object, to recognize the same authorizer in two routes; nil for a value.
    fileprivate var objectIdentity: ObjectIdentifier? {
        Self.self is AnyObject.Type ? ObjectIdentifier(self as AnyObject) : nil
    }
}
