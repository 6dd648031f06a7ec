import Synchronization

/// Orders for a server to do something wrong: each fault happens once, in the order they were given, or always.
public struct Faults: Sendable {
    /// What can go wrong.
    public enum Place: Sendable, Hashable, CaseIterable {
        /// The pages of a sign-in, the redirect to the client among them.
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

    /// The next requests there meet these faults, one each.
    public func next(at place: Place, _ faults: Fault...) {
        orders.queue.withLock { $0.order(faults, at: place) }
    }

    /// All requests there meet this fault, where none was ordered for the next.
    public func always(at place: Place, _ fault: Fault) {
        orders.queue.withLock { $0.set(fault, at: place) }
    }

    /// The next requests to the token endpoint meet these faults, one each.
    public func nextTokenResponse(_ faults: Fault...) {
        orders.queue.withLock { $0.order(faults, at: .tokenEndpoint) }
    }

    /// The next requests to the API (`/user`, `/user/repos`, `/userinfo`) meet these faults, one each.
    public func nextAPIResponse(_ faults: Fault...) {
        orders.queue.withLock { $0.order(faults, at: .api) }
    }

    /// Takes back all faults that have not happened yet, and those that happen always.
    public func clear() {
        orders.queue.withLock { $0.removeAll() }
    }

    /// Lets all requests go on that a ``Fault/hold`` is holding or, ordered before this call, would be.
    public func releaseHeldRequests() {
        for held in orders.queue.withLock({ $0.release() }) { held.finish() }
    }

    /// Every access token given out so far is refused from now on; refresh tokens stay good.
    public func revokeAllAccessTokens() {
        state.grants.withLock { $0.revokeAllAccessTokens() }
    }

    /// Every access token given out so far has run out, as if its time were over; refresh tokens stay good.
    public func expireAllAccessTokens() {
        let now = state.now
        state.grants.withLock { $0.expireAllAccessTokens(at: now) }
    }

    /// All access and refresh tokens given out so far are refused from now on, as when a person takes back what they allowed.
    public func revokeAllGrants() {
        state.grants.withLock { $0.revokeAllGrants() }
    }
}
