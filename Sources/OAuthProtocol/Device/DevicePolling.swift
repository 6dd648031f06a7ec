/// When to ask the token endpoint for the tokens of a ``DeviceAuthorization``, and when to stop (RFC 8628 §3.5).
///
/// A value without a clock: it is told what came and when, and says what to do next. Times are durations since any moment before the
/// first, by a clock that goes on while the machine sleeps and that nobody sets: never the wall clock.
///
/// Two polls are never closer together than the interval, which only grows: by 5 seconds, or to what the server names, with each
/// `slow_down`. After a lost connection or a server that is overloaded the pause doubles, up to a minute or the interval, whichever is
/// longer, until an answer comes. A `Retry-After` that is longer than the pause is obeyed.
public struct DevicePolling: Sendable {
    /// What to do next.
    public enum Action: Sendable {
        /// Wait until then, and report ``Event/waited``.
        case wait(until: Duration)
        /// Send the request of ``TokenRequest/polling(for:client:at:)``, and report what came of it.
        case send
        case finished(TokenResponse)
        /// The sign-in has failed. With `.expired` where the time was over, or is before the server may be asked again; with the server's
        /// own `expired_token` and `access_denied` as ``OAuthError/serverError``.
        case failed(OAuthError)
    }

    /// What came.
    public enum Event: Sendable {
        /// The time of an ``Action/wait(until:)``, or some other time.
        case waited
        /// The token endpoint's answer, judged.
        case responded(Result<TokenResponse, OAuthError>)
        /// No answer, or not in time.
        case connectionLost
    }

    private enum State: Sendable {
        case waiting(until: Duration)
        case asking
        case ended(Action)
    }

    private var state: State
    /// The pause that the server wants, without what lost connections add.
    private var interval: Duration
    private var losses = 0
    private let deadline: Duration

    /// Begins to wait when the authorization was answered.
    ///
    /// - Parameter patience: How long to go on at most, where that is shorter than the codes are good.
    public init(_ authorization: DeviceAuthorization, at now: Duration, patience: Duration? = nil) {
        interval = authorization.interval
        deadline = now + min(authorization.lifetime, patience ?? authorization.lifetime)
        state = .waiting(until: now + interval)
        if now + interval >= deadline { state = .ended(.failed(Self.tooSoonOver)) }
    }

    /// Takes what came, and says what to do.
    ///
    /// - Parameter now: The time at which it came.
    public mutating func next(_ event: Event, at now: Duration) -> Action {
        switch (state, event) {
        case (.ended(let action), _):
            return action
        case (.waiting(let due), _):
            return goOn(from: due, at: now)
        case (.asking, .responded(.success(let tokens))):
            return end(.finished(tokens))
        case (.asking, .responded(.failure(let error))):
            return judge(error, at: now)
        case (.asking, .connectionLost), (.asking, .waited):
            // Nobody else knows whether the request has arrived: as if it had.
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

    private mutating func judge(_ error: OAuthError, at now: Duration) -> Action {
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
        OAuthError(.expired, "no one entered the code before it expired")
    }

    private static var tooSoonOver: OAuthError {
        OAuthError(.expired, "no one entered the code in time; it expires before the next poll is allowed")
    }
}
