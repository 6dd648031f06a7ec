import AuthHub

/// The states of a session over time, for the demonstration to show.
actor DemoStates {
    private let session: OAuthSession
    private let states: AsyncStream<SessionState>
    private var last: SessionState?

    init(of session: OAuthSession) {
        self.session = session
        states = session.everyState
    }

    /// Returns the states since the last call, in words, up to the current one.
    func sinceLast() async -> String {
        var names: [String] = []
        while last != session.state, let state = await states.first(where: { _ in true }) {
            last = state
            if names.last != state.demoName { names.append(state.demoName) }
        }
        return names.joined(separator: " → ")
    }
}

extension SessionState {
    fileprivate var demoName: String {
        switch self {
        case .unknown: "unknown"
        case .loading: "loading"
        case .signedOut: "signed out"
        case .signingIn: "signing in"
        case .exchanging: "exchanging"
        case .signedIn(let facts): facts.isRefreshing ? "refreshing" : "signed in"
        case .signingOut: "signing out"
        }
    }
}
