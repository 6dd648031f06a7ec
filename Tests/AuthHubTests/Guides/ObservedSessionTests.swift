import AuthHub
import Observation
import Synchronization
import Testing

/// A model for a user interface, fed with the session's states; Observation is part of Swift, on Linux as well.
@MainActor
struct ObservedSessionTests {
    // snippet: session-model
    @MainActor @Observable
    final class AccountModel {
        private(set) var state = SessionState.unknown

        func follow(_ session: OAuthSession) async {
            for await state in session.states { self.state = state }
        }
    }
    // end

    /// Counts the updates that observers receive.
    private final class Renderings: Sendable {
        private let states = Mutex<[SessionState]>([])

        var all: [SessionState] { states.withLock { $0 } }

        func add(_ state: SessionState) { states.withLock { $0.append(state) } }
    }

    /// Simulates SwiftUI: renders, and renders again after each change of a property that was read.
    private func render(_ model: AccountModel, _ renderings: Renderings) {
        withObservationTracking {
            renderings.add(model.state)
        } onChange: {
            Task { @MainActor in render(model, renderings) }
        }
    }

    @Test func `a model that follows the states tells its observers of each that stays`() async throws {
        let setting = SessionSetting()
        let session = setting.session(.manual)
        let model = AccountModel()
        let renderings = Renderings()
        render(model, renderings)
        let following = Task { await model.follow(session) }
        #expect(renderings.all == [.unknown])
        func untilRendered(_ isShown: (SessionState?) -> Bool) async {
            while !isShown(renderings.all.last) { await Task.yield() }
        }
        _ = try await session.restore()
        await untilRendered { $0 == .signedOut }
        try await session.signIn()
        await untilRendered { if case .signedIn? = $0 { true } else { false } }
        #expect(model.state == session.state)
        // Observers are not notified of values that have not changed.
        let count = renderings.all.count
        _ = try await session.accessToken()
        #expect(renderings.all.count == count)
        await session.signOut()
        await untilRendered { $0 == .signedOut }
        following.cancel()
        await following.value
    }
}
