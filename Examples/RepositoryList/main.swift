// Lists the repositories that the user can see at GitHub. Reads the client secret from standard input, because every user of the machine
// can see the arguments of a process.
//
//     authhub serve --persona github-app --port 8080  # prints a user, a password and the client secret
//     swift run --package-path Examples RepositoryList < secret.txt
//
// For github.com, use the server .gitHubApp, your own client, and GitHub(session: session).

import AuthHub
import GitHubAPI

let url = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"

let session = OAuthSession(
    server: .gitHubApp(web: url, api: url, transport: .insecureHTTPOnLoopbackForDevelopment),
    client: .init(id: "Iv23liDevelopment0001", secret: Secret(readLine() ?? "")),
    browser: .system,
    store: try .platformDefault(service: "com.example.repository-list"))

let list = try await GitHub(session: session, api: url).repositories()
for repository in list.repositories.prefix(3) {
    print(repository.isPrivate ? "\(repository.fullName) (private)" : repository.fullName)
}
print("\(list.repositories.count) repositories\(list.isComplete ? "" : ", and there are more")")
