import AniListAPI
import AuthHub
import GitHubAPI
import OAuthProtocol

/// The signed-in user.
extension AccountModel {
    /// The maximum number of sign-ins in a row for which the service is asked about the user, if each was replaced before the response
    /// arrived.
    private static let questionLimit = 5

    enum Person: Sendable {
        case gitHub(GitHub, User)
        case viewer(ViewerFacts)
    }

    /// Returns the generation of the credential that the content's user is signed in with, as soon as it is known to be theirs; nil if it
    /// is not, or if the content belongs to another user by then.
    ///
    /// - Parameter account: Returns the account of the content. It is not retained while this function waits.
    static func confirmedGeneration(of content: ObjectIdentifier, in account: () -> AccountModel?) async -> UInt64? {
        account()?.follow()
        while let question = account()?.personQuestion { await question.end() }
        guard let account = account(), account.holds(content), let confirmed = account.confirmed else { return nil }
        let state = account.session.state
        return state.origin == confirmed ? state.generation : nil
    }

    /// Asks the service who is signed in, unless this is known or already being asked.
    func confirm() {
        follow()
        guard let origin = session.state.origin, origin != confirmed, personQuestion == nil, signOutTask == nil else { return }
        questionCount = 0
        askForPerson(of: origin)
    }

    /// Whether the service could not say who is signed in. No further request is sent until the user asks for it.
    var isUnconfirmed: Bool { personQuestion == nil && (confirmed == nil || session.state.origin != confirmed) }

    func askForPerson(of origin: CredentialOrigin) {
        personQuestion?.cancel()
        personQuestion = nil
        (asked, questionCount) = (origin, questionCount + 1)
        guard questionCount <= Self.questionLimit else {
            problem = .restless(provider.name)
            return
        }
        problem = nil
        personQuestion = OwnedTask { [weak self, provider, session] in
            let answer = await Self.person(at: provider, of: session)
            guard !Task.isCancelled else { return }
            self?.personAnswered(answer, of: origin)
        }
    }

    /// Handles the response that says who is signed in. The response is used only if the sign-in did not change between request and
    /// response.
    func personAnswered(_ answer: Result<Person, AppProblem>, of origin: CredentialOrigin) {
        personQuestion = nil
        guard session.state.origin == origin else {
            asked = nil
            return follow()
        }
        switch answer {
        case .success(let person):
            (confirmed, questionCount) = (origin, 0)
            show(person)
            follow()
            resume(afterProblem: true)
        case .failure(let failure):
            problem = failure
        }
    }

    private static func person(at provider: AppProvider, of session: OAuthSession) async -> Result<Person, AppProblem> {
        switch provider.service {
        case .gitHub(let api):
            let gitHub = GitHub(session: session, api: api)
            do throws(GitHubError) {
                return .success(.gitHub(gitHub, try await gitHub.user()))
            } catch {
                return .failure(AppProblem(error, at: provider.name))
            }
        case .aniList(let endpoint):
            do throws(AniListError) {
                return .success(.viewer(ViewerFacts(try await AniList(session: session, endpoint: endpoint).viewer())))
            } catch {
                return .failure(AppProblem(error, at: provider.name))
            }
        case .openID:
            do throws(SessionError) {
                guard let identity = try await session.identity else {
                    return .failure(AppProblem(withoutIdentityAt: provider.name))
                }
                return .success(.viewer(ViewerFacts(identity)))
            } catch {
                return .failure(AppProblem(error, at: provider.name, isSignedIn: true))
            }
        }
    }

    /// Shows a user: keeps the list if it is the same user, and replaces it otherwise.
    private func show(_ person: Person) {
        switch (person, content) {
        case (.gitHub(_, let user), .repositories(let model)) where model.person.id == user.id: model.know(user)
        case (.gitHub(let gitHub, let user), _): content = .repositories(RepositoriesModel(user, from: gitHub, of: self))
        case (.viewer(let facts), .viewer(let model)) where model.facts.id == facts.id: model.know(facts)
        case (.viewer(let facts), _): content = .viewer(ViewerModel(facts, of: self))
        }
    }

    func resume(afterProblem: Bool) {
        if case .repositories(let model) = content { model.resume(afterProblem: afterProblem) }
    }

    private func holds(_ identity: ObjectIdentifier) -> Bool {
        switch content {
        case .repositories(let model): ObjectIdentifier(model) == identity
        case .viewer(let model): ObjectIdentifier(model) == identity
        case nil: false
        }
    }
}
