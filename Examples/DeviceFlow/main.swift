// Signs the user in on a machine without a browser: prints a code, which the user enters in a browser on another device.
//
//     authhub serve --persona oidc --port 8080        # prints a user and a password
//     swift run --package-path Examples DeviceFlow

import AuthHub

let url = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"

let session = OAuthSession(
    OAuthSession.Configuration(
        server: .issuer(try Issuer(url, transport: .insecureHTTPOnLoopbackForDevelopment)),
        client: .init(id: "native-app"),
        scope: ["openid", "profile", "offline_access"],
        grant: .deviceCode { code in print("open \(code.verificationURI.text) and enter \(code.userCode)") },
        store: try .platformDefault(service: "com.example.device-flow"),
        dependencies: .network))

struct User: Decodable { let name: String }
let user = try await session.load(.get(url + "/userinfo")).decode(User.self)
print("signed in as \(user.name)")
