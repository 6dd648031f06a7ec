// Signs in two accounts at the same server, uses both, and signs one out. The labels distinguish the accounts in the store.
//
//     authhub serve --persona oidc --port 8080        # prints two users and their passwords
//     swift run --package-path Examples TwoAccounts
//
// .system(ephemeral: true) opens a private browser instead, in which no one is signed in yet.

import AuthHub

let url = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"

let configuration = OAuthSession.Configuration(
    server: .issuer(try Issuer(url, transport: .insecureHTTPOnLoopbackForDevelopment)),
    client: .init(id: "native-app"),
    scope: ["openid", "profile", "offline_access"],
    grant: .authorizationCode(.system),
    store: try .platformDefault(service: "com.example.two-accounts"),
    dependencies: .network)
let work = OAuthSession(configuration, label: "work")
let home = OAuthSession(configuration, label: "home")

struct User: Decodable { let name: String }
for session in [work, home] {
    let user = try await session.load(.get(url + "/userinfo")).decode(User.self)
    print("\(session.account.label): \(user.name)")
}

let report = await home.signOut()
if let problem = report.problem { print("home is still signed in: \(problem.explanation)") }
for account in try await OAuthAccounts(store: configuration.store).list().accounts {
    print("still signed in: \(account.label)")
}
