import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Synchronization
import Testing

@testable import AuthHub

/// Two sessions of one account perform all operations concurrently and in random order.
struct SessionStormTests {
    private enum Deed: CaseIterable {
        case load, token, renew, signIn, needMore, callback, signOut, leave, endTokens, setClock, listen
    }

    @Test(.timeLimit(.minutes(15)), arguments: UInt64(0)..<24)
    func `whatever happens concurrently, all callers get a result, and a sign-out leaves nothing`(seed: UInt64) async throws {
        let chance = Chance(seed: seed)
        let isOver = SharedFlag()
        let store = HookedStore()
        store.configure {
            $0.afterRead = { await chance.pause() }
            $0.afterSignInLease = { await chance.pause() }
            $0.beforeWrite = { () async throws(CredentialStoreError) in
                await chance.pause()
                if chance.isOne(in: 12) { throw CredentialStoreError(.refused, "the folder is read-only") }
            }
        }
        let setting = SessionSetting(store: store) { url in
            await chance.pause()
            let declines = isOver.isRaised || chance.isOne(in: 5)
            return declines ? .cancelled : await consenting(url)
        }
        setting.server.configure {
            $0.atToken = { request throws(LoadError) in
                await chance.pause()
                if chance.isOne(in: 12) { throw LoadError(.cannotConnect, for: request) }
                return nil
            }
            $0.afterToken = { () async throws(LoadError) in await chance.pause() }
            $0.atAPI = { _ in await chance.pause() }
        }
        let sessions = [setting.session(unauthorizedPolicy: .signInAgain), setting.session(.manual)]
        var tasks: [Task<Void, Never>] = []
        var listeners: [Task<Void, Never>] = []
        for _ in 0..<80 {
            let session = sessions[chance.number(below: 2)]
            switch Deed.allCases[chance.number(below: Deed.allCases.count)] {
            case .leave: if !tasks.isEmpty { tasks[chance.number(below: tasks.count)].cancel() }
            case .setClock: setting.advance(by: Double(chance.number(below: 10_000) - 4000))
            case .endTokens: setting.server.endAccessTokens()
            case .listen: listeners.append(Task { for await state in session.states where state == .signedOut { break } })
            case let deed: tasks.append(Task { await Self.perform(deed, with: session, in: setting, unless: isOver) })
            }
            await chance.pause()
        }
        // In the middle of the test, the user starts to deny every sign-in.
        isOver.raise()
        await withTaskGroup { group in
            for session in sessions { group.addTask { #expect(await session.signOut().isSignedOut) } }
        }
        for task in tasks { await task.value }
        for session in sessions { await session.finish() }
        #expect(try await store.accounts().isEmpty)
        #expect(try await PendingSignIns(of: sessions[0].account, in: store) { start }.all().isEmpty)
        for session in sessions { await session.signOut() }
        // The listeners never miss the newest state.
        for task in listeners { await task.value }
    }

    private static func perform(_ deed: Deed, with session: OAuthSession, in setting: SessionSetting, unless isOver: SharedFlag) async {
        switch deed {
        case .load: _ = try? await session.load(.get("https://api.example/"))
        case .token: _ = try? await session.accessToken(minimumLifetime: .seconds(1))
        case .renew: try? await session.refresh()
        case .signIn: try? await session.signIn()
        case .needMore: try? await session.stepUp(StepUpRequirement(scope: ["write"], maximumAge: 5))
        case .callback:
            // This page was shown before the sign-out, so its callback finds no pending sign-in.
            guard let url = setting.browser.visitedURLs.last, !isOver.isRaised else { return }
            try? await session.finishSignIn(with: "http://127.0.0.1:49152/callback?code=c0de&state=\(parameter("state", of: url))")
        case .signOut: await session.signOut(endingServerSession: true)
        case .leave, .endTokens, .setClock, .listen: break
        }
    }
}

private final class SharedFlag: Sendable {
    private let value = Mutex(false)

    var isRaised: Bool { value.withLock { $0 } }

    func raise() { value.withLock { $0 = true } }
}

/// A random source that returns the same values for the same seed if the calling tasks run in the same order.
private final class Chance: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) {
        generator = Mutex(SeededGenerator(seed: seed))
    }

    func number(below limit: Int) -> Int { generator.withLock { Int.random(in: 0..<limit, using: &$0) } }

    func isOne(in count: Int) -> Bool { number(below: count) == 0 }

    func pause() async {
        for _ in 0..<number(below: 6) { await Task.yield() }
    }
}
