import Synchronization

/// The faults of a server: each happens once, in the order in which they were requested, or permanently.
public struct Faults: Sendable {
    /// A place where faults can be injected.
    public enum Place: Sendable, Hashable, CaseIterable {
        /// The pages of a sign-in, including the redirect to the client.
        case authorization
        case tokenEndpoint
        case deviceAuthorization
        case pushedAuthorization
        case introspection
        case revocation
        case registration
        /// The documents under `/.well-known/`.
        case metadata
        /// `/user`, `/user/repos`, `/userinfo`, `/graphql`.
        case api
    }

    let state: ServerState
    let orders: FaultOrders

    /// Injects these faults into the next requests at a place, one each.
    public func next(at place: Place, _ faults: Fault...) {
        orders.queue.withLock { $0.order(faults, at: place) }
    }

    /// Injects this fault into all requests at a place, except those for which another one was requested.
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

    /// Removes all faults that have not happened yet, and the permanent ones.
    public func clear() {
        orders.queue.withLock { $0.removeAll() }
    }

    /// Releases all requests that a ``Fault/hold`` from before this call is holding or would hold.
    public func releaseHeldRequests() {
        for held in orders.queue.withLock({ $0.release() }) { held.finish() }
    }

    /// Revokes every access token issued so far; refresh tokens stay valid.
    public func revokeAllAccessTokens() {
        state.grants.withLock { $0.revokeAllAccessTokens() }
    }

    /// Expires every access token issued so far; refresh tokens stay valid.
    public func expireAllAccessTokens() {
        let now = state.now
        state.grants.withLock { $0.expireAllAccessTokens(at: now) }
    }

    /// Revokes all access and refresh tokens issued so far, as if the users had withdrawn their consent.
    public func revokeAllGrants() {
        state.grants.withLock { $0.revokeAllGrants() }
    }
}
