import AuthHubPrimitives
import HTTPTypes

/// The API for which access tokens are issued: the user, and their repositories, as in GitHub's REST API.
struct ResourceEndpoints: Sendable {
    let state: ServerState

    func user(_ request: IncomingRequest) -> Answer {
        answer(request) { holder in
            .json(.object(holder.user.gitHubObject(issuer: state.issuer, repositoryCount: state.configuration.repositoryCount)))
        }
    }

    func repositories(_ request: IncomingRequest) -> Answer {
        answer(request) { holder in
            guard let query = request.queryParameters else { return GitHubAnswer.error("Bad Request", status: .badRequest) }
            let all = Repository.all(count: state.configuration.repositoryCount, before: state.startedAt)
            let visible = Repository.select(from: all, query: query).filter { !$0.isPrivate || showsPrivate(to: holder) }
            let page = PageLinks(query: query, defaultSize: state.configuration.pageSize, total: visible.count)
            let objects = visible[page.range].map { repository in
                JSONValue.object(repository.gitHubObject(owner: holder.user, issuer: state.issuer))
            }
            var answer = Answer.json(.array(objects))
            if let links = page.header(address: state.issuer + request.path, query: query) { answer.setHeader("Link", to: links) }
            return answer
        }
    }

    private func showsPrivate(to holder: ResourceHolder) -> Bool {
        guard let scope = state.persona.api.scopeOfPrivateRepositories else { return true }
        return holder.scope.contains(scope) || state.client(id: holder.clientID)?.kind == .gitHubApp
    }

    /// Returns a picture, without authorization: GitHub serves them from a host that does not use tokens.
    func avatar(_ request: IncomingRequest) -> Answer {
        guard let person = request.path.split(separator: "/").last.flatMap({ Int64($0) }) else { return .notFound() }
        return Answer(status: .ok, headers: [.contentType: "image/png"], body: Avatar.png(of: person))
    }

    private func answer(_ request: IncomingRequest, _ body: (ResourceHolder) -> Answer) -> Answer {
        let answer: Answer
        let scope: [String]?
        switch state.authorizeResource(request) {
        case .success(let holder): (answer, scope) = (body(holder), holder.scope)
        case .failure(let refusal): (answer, scope) = (refusal.answer, nil)
        }
        return state.persona.api.isGitHub ? GitHubAnswer.decorate(answer, scope: scope) : answer
    }
}
