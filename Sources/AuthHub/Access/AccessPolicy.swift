package import Platform

/// Decides whether a request that a resource rejects leads to a sign-in, so that a resource that is never satisfied, and a program that
/// sends many requests, cannot show one page after the other.
package struct AccessPolicy: Sendable {
    package enum Answer: Sendable, Hashable {
        /// Sign in.
        case signIn
        /// The user has just declined. A later request may ask again.
        case wait
        /// The last sign-in met the same requirement, or there were too many sign-ins: another one does not help.
        case giveUp
    }

    /// The kind of failure of a sign-in that may have shown a page.
    package enum PageFailure: String, Sendable {
        /// The user has declined or did not finish, or the server returned an error, as it probably would again.
        case declined
        /// The server was unreachable or unavailable, or the store failed; a retry may succeed.
        case unrelated
    }

    /// The maximum number of sign-ins for one request: the first one, and one for more scope.
    private static let requestLimit = 2
    /// The maximum number of pages in a period.
    private static let pageLimit = 5
    private static let period: TimeInterval = 600
    /// For how long a user who has declined is not asked.
    private static let pause: TimeInterval = 30

    /// Whether a sign-in shows a page. Otherwise, only a requirement that was met ends the attempts.
    private let showsPages: Bool
    private var met: Set<AccessRequirement> = []
    private var pages: [Date] = []
    private var declined: Date?

    package init(showsPages: Bool = true) { self.showsPages = showsPages }

    /// Whether a request may be sent again after another sign-in.
    ///
    /// - Parameter signIns: The number of sign-ins that the request has led to, in this process or another.
    package static func allowsRepeating(after signIns: Int) -> Bool { signIns < requestLimit }

    /// Answers a response that requires a sign-in.
    package func answer(to requirement: AccessRequirement, at now: Date) -> Answer {
        guard !met.contains(requirement) else { return .giveUp }
        guard showsPages else { return .signIn }
        guard !isPaused(at: now) else { return .wait }
        return pages.count { isRecent($0, at: now) } < Self.pageLimit ? .signIn : .giveUp
    }

    /// Notes a sign-in.
    ///
    /// - Parameters:
    ///   - requirement: What it was for.
    ///   - isShared: Whether another request has already noted the same sign-in.
    package mutating func signedIn(for requirement: AccessRequirement, isShared: Bool = false, at now: Date) {
        met.insert(requirement)
        declined = nil
        if !isShared { notePage(at: now) }
    }

    /// Notes that a sign-in has failed whose page may have been shown.
    package mutating func pageFailed(_ failure: PageFailure, at now: Date) {
        // Requests that share a page fail one after the other.
        if !isPaused(at: now) { notePage(at: now) }
        if failure == .declined { declined = now }
    }

    /// Notes that the resource has accepted a token, which may be revoked later. A requirement of more stays unmet.
    package mutating func accepted() { met = met.filter(\.isStepUp) }

    /// Forgets what the sign-ins have met, because the user has signed in or out without a request.
    package mutating func forget() { (met, declined) = ([], nil) }

    private func isPaused(at now: Date) -> Bool {
        declined.map { (0..<Self.pause).contains(now.timeIntervalSince($0)) } ?? false
    }

    private func isRecent(_ page: Date, at now: Date) -> Bool { (0..<Self.period).contains(now.timeIntervalSince(page)) }

    private mutating func notePage(at now: Date) {
        pages = pages.filter { isRecent($0, at: now) }
        if showsPages { pages.append(now) }
    }
}

extension AccessPolicy.PageFailure {
    /// Creates the failure of a session's sign-in; nil if no page was shown.
    package init?(_ error: SessionError) {
        switch error.code {
        case .cancelledByProgram, .cannotSignInHere, .signInNeeded, .misconfigured: return nil
        case .unreachable, .storeFailed: self = .unrelated
        default: self = .declined
        }
    }
}
