import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization

/// A stub for GitHub and AniList with the parts that the app uses.
final class Services: Transport {
    private struct State {
        var otherwise: [String: ScriptedAnswer] = [:]
        var requests: [String] = []
    }

    private let repositoryCount: Int
    private let repository: @Sendable (Int) -> JSONValue
    private let state = Mutex(State())

    init(repositoryCount: Int = 0, repository: @escaping @Sendable (Int) -> JSONValue = { Services.repository($0) }) {
        self.repositoryCount = repositoryCount
        self.repository = repository
    }

    /// The requested paths, each page with its number.
    var requests: [String] { state.withLock(\.requests) }

    /// Sets the response to requests for a path; nil restores the usual response.
    func answer(_ path: String, with answer: ScriptedAnswer?) {
        state.withLock { $0.otherwise[path] = answer }
    }

    var dependencies: Dependencies { Dependencies(transport: self) }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        try await RoutedTransport([(.any, answer(to: request))]).send(request)
    }

    private func answer(to request: LoadRequest) -> ScriptedAnswer {
        let parts = (request.head.path ?? "").split(separator: "?", maxSplits: 1).map(String.init)
        let page = parts.dropFirst().first.flatMap { query in
            query.split(separator: "&").first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst("page=".count)) }
        }
        let name = page.map { "\(parts[0]) \($0)" } ?? parts.first ?? ""
        let otherwise = state.withLock { state in
            state.requests.append(name)
            return state.otherwise[name]
        }
        if let otherwise { return otherwise }
        switch (request.head.authority, name) {
        case ("github.com", "/login/oauth/access_token"):
            return .json(["access_token": "canary", "token_type": "bearer", "scope": "repo"])
        case ("api.github.com", "/user"): return .json(["id": 1, "login": "octocat", "name": "Mona"])
        case ("api.github.com", _) where parts[0] == "/user/repos": return repositories(page ?? 1)
        case ("graphql.anilist.co", _):
            return .json(["data": ["Viewer": ["id": 7, "name": "mio", "siteUrl": "https://anilist.co/user/mio"]]])
        default: return .status(.noContent)
        }
    }

    private func repositories(_ page: Int) -> ScriptedAnswer {
        let (first, size) = ((page - 1) * 50, 50)
        let numbers = Array(first..<max(first, min(first + size, repositoryCount)))
        let isLast = first + size >= repositoryCount
        guard let field = HTTPField.Name("Link") else { return .status(.internalServerError) }
        let link = "<https://api.github.com/user/repos?page=\(page + 1)&per_page=\(size)>; rel=\"next\""
        return .json(.array(numbers.map(repository)), headers: isLast ? [:] : [field: link])
    }

    static func repository(_ number: Int) -> JSONValue {
        [
            "id": .number(JSONNumber(Int64(number))), "full_name": .string("octocat/r\(number)"), "private": .bool(number % 2 == 0),
            "language": "Swift", "stargazers_count": 3,
        ]
    }
}
