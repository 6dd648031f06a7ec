import AuthHub
import Platform

extension ProxyMachine {
    /// The sign-ins that the server requires. Concurrent messages share one.
    struct Access: Sendable {
        var policy = AccessPolicy()
        /// The number of sign-ins so far.
        var generation = 0
        /// The sign-in in progress, or the question whether another process has signed in.
        var current: (requirement: AccessRequirement, answer: AccessPolicy.Answer)?
        /// Why the last sign-in failed.
        var failure: ProxyFailure?
    }

    /// The time for the policy, which only compares times.
    private var date: Date { Date(timeIntervalSinceReferenceDate: now / .seconds(1)) }

    /// Signs in, unless another message or process has done so since the message that was rejected. If the host cancels the message, the
    /// page stays open.
    mutating func require(_ requirement: AccessRequirement, _ response: ServerResponse, _ number: Int) {
        close(number)
        exchanges[number]?.signIns += 1
        exchanges[number]?.isSent = false
        guard exchanges[number]?.generation == access.generation else { return advance(number) }
        // A token that is not accepted at all may be for a different resource than the message's.
        let place = requirement.isStepUp ? response.signIn?.resource ?? server.url : server.url
        let need = SignInNeed(url: place, challenge: response.challenges, rejected: response.signIn?.id)
        exchanges[number]?.required = (requirement, need)
        exchanges[number]?.phase = .beforeSignIn
        if access.current == nil { signIn(for: number) }
    }

    private mutating func signIn(for number: Int) {
        guard let (requirement, need) = exchanges[number]?.required else { return }
        let answer = access.policy.answer(to: requirement, at: date)
        access.current = (requirement, answer)
        // The user may have signed in with another process.
        effects.append(answer == .signIn ? .signIn(need) : .askOthers(need))
    }

    mutating func signInEnded(_ result: Result<SignInParty, ProxyFailure>) {
        guard let current = access.current else { return }
        access.current = nil
        switch result {
        case .success(let party):
            // What another process requested may not be enough.
            if party == .this { access.policy.signedIn(for: current.requirement, at: date) }
            access.failure = nil
            access.generation += 1
            for number in waiting { advance(number) }
        case .failure(let failure):
            access.failure = failure
            if let page = failure.page { access.policy.pageFailed(page, at: date) }
            for number in waiting { fail(number, failure) }
        }
    }

    mutating func othersAsked(_ haveSignedIn: Bool) {
        guard let current = access.current else { return }
        guard !haveSignedIn else { return signInEnded(.success(.other)) }
        access.current = nil
        let unmet = ProxyFailure(
            "denied", "the server still requires more access after a sign-in",
            hint: "ask the server's operator what the account lacks; to sign in again: \(server.login)")
        let failure = current.answer == .wait ? access.failure ?? unmet : unmet
        for number in waiting where exchanges[number]?.required?.requirement == current.requirement { fail(number, failure) }
        if let next = waiting.first { signIn(for: next) }
    }

    private var waiting: [Int] { numbers { $0.phase == .beforeSignIn } }
}
