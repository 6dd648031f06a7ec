import Synchronization

/// The faults that a server injects into requests. A fault is injected either once, in the order in which it was added, or permanently.
public struct Faults: Sendable {
    /// A group of endpoints where faults can be injected.
    public enum Place: Sendable, Hashable, CaseIterable {
        /// The pages of a sign-in, including the redirect to the client.
        case authorization
        case tokenEndpoint
        /// Requests to the token endpoint with a refresh token. A fault here takes precedence over one at ``tokenEndpoint``.
        case refresh
        case deviceAuthorization
        case pushedAuthorization
        case introspection
        case revocation
        case registration
        /// The metadata documents under `/.well-known/`.
        case metadata
        /// The metadata of the resource `/mcp`. A fault here takes precedence over one at ``metadata``.
        case resourceMetadata
        /// The resource `/mcp`.
        case resource
        /// The published keys, `/jwks`.
        case keySet
        /// `/user`, `/user/repos`, `/userinfo`, `/graphql`.
        case api
        /// `/userinfo`. A fault here takes precedence over one at ``api``.
        case userInfo
        /// The endpoint of the distributed claims that userinfo responses refer to, `/claims-provider/claims`.
        case claimsEndpoint
        /// The response that names an account's provider, `/.well-known/webfinger`.
        case webFinger
        /// The redirect to a client's URL that starts a sign-in, `/initiate-login`.
        case loginInitiation
        /// The page that signs users out, including the redirect to the client.
        case endSession
        /// The logout tokens that the server posts to clients.
        case logoutToken
    }

    let state: ServerState
    let orders: FaultOrders

    /// Injects each of these faults into one of the next requests at a place, in order.
    public func next(at place: Place, _ faults: Fault...) {
        orders.queue.withLock { $0.order(faults, at: place) }
    }

    /// Injects this fault into every request at a place that has no fault of its own from ``next(at:_:)``.
    public func always(at place: Place, _ fault: Fault) {
        orders.queue.withLock { $0.set(fault, at: place) }
    }

    /// Injects these faults into the next requests to the token endpoint, one each.
    package func nextTokenResponse(_ faults: Fault...) {
        orders.queue.withLock { $0.order(faults, at: .tokenEndpoint) }
    }

    /// Injects these faults into the next requests to the API (`/user`, `/user/repos`, `/userinfo`), one each.
    package func nextAPIResponse(_ faults: Fault...) {
        orders.queue.withLock { $0.order(faults, at: .api) }
    }

    /// Removes all faults that have not been injected yet, and all permanent faults.
    public func clear() {
        orders.queue.withLock { $0.removeAll() }
        let earlier = orders.quirks.withLock { quirks in
            defer { quirks = nil }
            return quirks
        }
        if let earlier { state.openIDConnect.withLock { $0 = earlier } }
    }

    /// Lets the server process all requests that a ``Fault/hold`` is holding. Holds that were added before this call do not hold requests
    /// that arrive later.
    public func releaseHeldRequests() {
        for held in orders.queue.withLock({ $0.release() }) { held.finish() }
    }

    /// Revokes all access tokens that have been issued so far. Refresh tokens stay valid.
    public func revokeAllAccessTokens() {
        state.grants.withLock { $0.revokeAllAccessTokens() }
    }

    /// Makes all access tokens that have been issued so far expire. Refresh tokens stay valid.
    public func expireAllAccessTokens() {
        let now = state.now
        state.grants.withLock { $0.expireAllAccessTokens(at: now) }
    }

    /// Ends all sessions of the resource `/mcp`; its clients have to begin new ones.
    package func endModelContextSessions() {
        state.modelContextSessions.withLock { $0.removeAll() }
    }

    /// Revokes all access and refresh tokens that have been issued so far, as if the users had withdrawn their consent.
    public func revokeAllGrants() {
        state.grants.withLock { $0.revokeAllGrants() }
    }
}
