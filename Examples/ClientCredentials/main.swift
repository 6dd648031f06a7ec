// Signs a service in with its own credentials, without a user. The session requests a new token when the old one has expired. Reads the
// client secret from standard input, because every user of the machine can see the arguments of a process.
//
//     authhub serve --persona oidc --port 8080        # prints the secret of the client web-app
//     swift run --package-path Examples ClientCredentials < secret.txt

import AuthHub

let url = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"

let session = OAuthSession(
    OAuthSession.Configuration(
        server: .issuer(try Issuer(url, transport: .insecureHTTPOnLoopbackForDevelopment)),
        client: .init(id: "web-app", secret: Secret(readLine() ?? "")),
        scope: ["repo"],
        grant: .clientCredentials,
        store: MemoryCredentialStore(),
        dependencies: .network))

print("GET /user: \(try await session.load(.get(url + "/user")).status)")
