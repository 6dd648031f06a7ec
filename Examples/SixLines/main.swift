// Signs the user in with a browser, and sends a request with the token. The second run needs no browser: the token is in the store.
//
//     authhub serve --persona oidc --port 8080        # prints a user and a password
//     swift run --package-path Examples SixLines

import AuthHub

let url = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"

let session = OAuthSession(
    server: .issuer(try Issuer(url, transport: .insecureHTTPOnLoopbackForDevelopment)),  // or a built-in provider, such as .gitHubApp
    client: .init(id: "native-app"),
    scope: ["openid", "profile", "offline_access"],
    browser: .system,
    store: try .platformDefault(service: "com.example.six-lines"))

struct User: Decodable { let name: String }
let user = try await session.load(.get(url + "/userinfo")).decode(User.self)
print("signed in as \(user.name)")
