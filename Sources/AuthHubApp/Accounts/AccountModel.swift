import AniListAPI
public import AuthHub
import CredentialStorage
import GitHubAPI
public import Observation

/// One service in the app: its session, and what is shown once somebody is signed in.
///
/// Of the sign-in it keeps nothing that the session knows: ``state`` is the session's, as it was last told.
@MainActor @Observable
public final class AccountModel {
    /// What the second screen shows.
    public enum Content {
        case repositories(RepositoriesModel)
        case viewer(ViewerModel)
    }

    public let provider: AppProvider
    /// What the session says.
    public private(set) var state: SessionState
    /// For the person who is signed in; nil until they are known.
    public private(set) var content: Content?
    /// Why the person could not be asked for, or the store not be read; nil since that went well.
    private(set) var problem: AppProblem?
    /// What the last sign-out could not do.
    private(set) var farewell: AppProblem?
    /// Whether the person is being asked for, and nothing can be shown before.
    var isArriving: Bool { arrival != nil && content == nil }

    @ObservationIgnored let session: OAuthSession
    let desk = SignInDesk()
    private var arrival: Task<Void, Never>?
    private var attempt: Task<Void, Never>?
    @ObservationIgnored private var follower: Task<Void, Never>?
    /// Which credential ``content`` is of.
    @ObservationIgnored private var generation: UInt64?

    init(_ provider: AppProvider, store: any CredentialStore, browsers: Browsers, surroundings: Surroundings) {
        self.provider = provider
        session = OAuthSession(
            server: provider.profile, client: provider.client, scope: provider.scope,
            browser: ChosenBrowser(browsers: browsers, desk: desk), store: store, signIn: .manual, surroundings: surroundings)
        state = session.state
        let states = session.states
        follower = Task { [weak self] in
            for await state in states { self?.take(state) }
        }
    }

    deinit {
        follower?.cancel()
    }
}

extension AccountModel {
    /// Whether the person has begun a sign-in that has not ended.
    var isSigningIn: Bool { attempt != nil }

    /// Reads what is stored, so that a person who is signed in sees their things.
    func restore() async {
        do throws(SessionError) {
            try await session.restore()
            problem = nil
        } catch {
            problem = AppProblem(error, at: provider.name, isSignedIn: true)
        }
    }

    /// Shows the sign-in page. One that is under way is joined.
    func signIn() {
        guard attempt == nil else { return }
        (problem, farewell) = (nil, nil)
        attempt = Task {
            defer { attempt = nil }
            do throws(SessionError) {
                try await session.signIn()
            } catch  where error.code != .cancelledByProgram {
                // What ends a sign-in of nobody is in the session's state.
                if !session.state.isSignedOut {
                    problem = AppProblem(error, at: provider.name, isSignedIn: content != nil)
                }
            } catch {}
        }
    }

    /// Closes the sign-in page.
    func cancelSignIn() {
        attempt?.cancel()
    }

    /// Forgets the tokens, and has them revoked.
    func signOut() async {
        attempt?.cancel()
        let report = await session.signOut()
        if let problem = report.problem {
            self.problem = AppProblem(problem, at: provider.name, isSignedIn: true)
        } else if case .failed = report.revocation {
            farewell = AppProblem(
                "You are signed out here, but \(provider.name) was not told.",
                advice:
                    "What the app was given lives on there until it ends. You can end it in your account's settings at \(provider.name).",
                remedy: .none)
        }
    }

    /// Does again what went wrong.
    func tryAgain() async {
        if case .signedIn = state { return arrive() }
        await restore()
    }
}

extension AccountModel {
    private func take(_ state: SessionState) {
        self.state = state
        switch state {
        case .signedIn(let facts):
            guard facts.generation != generation else { return }
            generation = facts.generation
            arrive()
        case .signedOut, .signingOut:
            leave()
        case .unknown, .loading, .signingIn, .exchanging: break
        }
    }

    private func leave() {
        arrival?.cancel()
        (arrival, content, generation) = (nil, nil, nil)
    }

    /// Asks who is signed in: only then is anything shown, and never another person's.
    private func arrive() {
        arrival?.cancel()
        problem = nil
        arrival = Task {
            do throws(AppProblem) {
                let person = try await person()
                guard !Task.isCancelled else { return }
                show(person)
            } catch {
                guard !Task.isCancelled else { return }
                if content == nil { problem = error }
            }
            arrival = nil
        }
    }

    private enum Person: Sendable {
        case gitHub(GitHub, User)
        case aniList(Viewer)
    }

    private func person() async throws(AppProblem) -> Person {
        switch provider.service {
        case .gitHub(let api):
            let gitHub = GitHub(session: session, api: api)
            do throws(GitHubError) {
                return .gitHub(gitHub, try await gitHub.user())
            } catch {
                throw AppProblem(error, at: provider.name)
            }
        case .aniList(let endpoint):
            do throws(AniListError) {
                return .aniList(try await AniList(session: session, endpoint: endpoint).viewer())
            } catch {
                throw AppProblem(error, at: provider.name)
            }
        }
    }

    private func show(_ person: Person) {
        switch (person, content) {
        case (.gitHub(_, let user), .repositories(let model)) where model.person.id == user.id: model.person = user
        case (.gitHub(let gitHub, let user), _): content = .repositories(RepositoriesModel(user, from: gitHub, of: self))
        case (.aniList(let viewer), .viewer(let model)) where model.viewer.id == viewer.id: model.viewer = viewer
        case (.aniList(let viewer), _): content = .viewer(ViewerModel(viewer, of: self))
        }
    }
}
