/// When to poll the token endpoint for the tokens of a ``DeviceAuthorization``, and when to stop (RFC 8628 §3.5).
///
/// A value without a clock: report each event with its time, and it returns the next action. Times are durations since any fixed moment
/// before the first one, on a clock that continues while the machine sleeps and that cannot be set: never the wall clock.
///
/// Two polls are never closer together than the interval, which only grows: by 5 seconds, or to the server's value, with each
/// `slow_down`. After a lost connection or if the server is overloaded, the pause doubles, up to a minute or the interval, whichever is
/// longer, until a response arrives. A `Retry-After` that is longer than the pause is obeyed.
package struct DevicePolling: Sendable {
    /// The next action.
    package enum Action: Sendable {
        /// Wait until this time, and report ``Event/waited``.
        case wait(until: Duration)
        /// Send the request of ``TokenRequest/polling(for:resources:client:at:)``, and report its result.
        case send
        case finished(TokenResponse)
        /// The sign-in has failed: with `.expired` if the codes have expired, or will before the next poll is allowed; with the server's
        /// `expired_token` or `access_denied` as ``OAuthError/serverError``.
        case failed(OAuthError)
    }

    /// An event to report.
    package enum Event: Sendable {
        /// The time of an ``Action/wait(until:)``, or some other time.
        case waited
        /// The token endpoint's response, after every check.
        case responded(Result<TokenResponse, OAuthError>)
        /// No response arrived, or none in time.
        case connectionLost
    }

    private enum State: Sendable {
        case waiting(until: Duration)
        case asking
        case ended(Action)
    }

    private var state: State
    /// The pause that the server requires, without the additional pauses after lost connections.
    private var interval: Duration
    private var losses = 0
    private let deadline: Duration

    /// Starts waiting at the time of the device authorization response.
    ///
    /// - Parameter patience: The maximum time to poll, if it is shorter than the lifetime of the codes.
    package init(_ authorization: DeviceAuthorization, at now: Duration, patience: Duration? = nil) {
        interval = authorization.interval
        deadline = now + min(authorization.lifetime, patience ?? authorization.lifetime)
        state = .waiting(until: now + interval)
        if now + interval >= deadline { state = .ended(.failed(Self.tooSoonOver)) }
    }

    /// Returns the next action after an event.
    ///
    /// - Parameter now: The time of the event.
    package mutating func next(_ event: Event, at now: Duration) -> Action {
        switch (state, event) {
        case (.ended(let action), _):
            return action
        case (.waiting(let due), _):
            return goOn(from: due, at: now)
        case (.asking, .responded(.success(let tokens))):
            return end(.finished(tokens))
        case (.asking, .responded(.failure(let error))):
            return validate(error, at: now)
        case (.asking, .connectionLost), (.asking, .waited):
            // The request may have arrived, so it counts as a poll.
            return pause(atLeast: nil, isLoss: true, at: now)
        }
    }

    private static let step = Duration.seconds(5)
    private static let longestPause = Duration.seconds(60)
    private static let mostLosses = 16
}

extension DevicePolling {
    private mutating func goOn(from due: Duration, at now: Duration) -> Action {
        guard now < deadline else { return end(.failed(Self.expired)) }
        guard now >= due else { return .wait(until: due) }
        state = .asking
        return .send
    }

    private mutating func validate(_ error: OAuthError, at now: Duration) -> Action {
        guard let said = error.serverError else { return end(.failed(error)) }
        let retryAfter = said.retryAfter.map { Duration.seconds($0) }
        switch said.code {
        case .authorizationPending:
            return pause(atLeast: retryAfter, isLoss: false, at: now)
        case .slowDown:
            interval = max(interval + Self.step, said.interval.map { .seconds($0) } ?? .zero)
            return pause(atLeast: retryAfter, isLoss: false, at: now)
        case .temporarilyUnavailable, .serverError:
            return pause(atLeast: retryAfter, isLoss: true, at: now)
        default:
            return end(.failed(error))
        }
    }

    private mutating func pause(atLeast asked: Duration?, isLoss: Bool, at now: Duration) -> Action {
        losses = isLoss ? min(losses + 1, Self.mostLosses) : 0
        let doubled = isLoss ? min(interval * (1 << losses), max(Self.longestPause, interval)) : interval
        let due = now + max(doubled, asked ?? .zero)
        guard due < deadline else { return end(.failed(now < deadline ? Self.tooSoonOver : Self.expired)) }
        state = .waiting(until: due)
        return .wait(until: due)
    }

    private mutating func end(_ action: Action) -> Action {
        state = .ended(action)
        return action
    }

    private static var expired: OAuthError {
        OAuthError(.expired, "the code was not entered before it expired")
    }

    private static var tooSoonOver: OAuthError {
        OAuthError(.expired, "the code was not entered in time; it expires before the server allows another poll")
    }
}
