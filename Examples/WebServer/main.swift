// Signs users in on a web server, which stores nothing until they have signed in. Reads the client secret from standard input.
//
//     authhub serve --persona oidc --port 8080        # prints users, and the secret of the client web-app
//     swift run --package-path Examples WebServer < secret.txt                        # then open http://127.0.0.1:8081/

import AuthHub
import Crypto
import Hummingbird

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
let issuer = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
let provider = ProviderProfile.issuer(try Issuer(issuer, transport: .insecureHTTPOnLoopbackForDevelopment))
let port = CommandLine.arguments.dropFirst(2).first.flatMap(UInt16.init) ?? 8081
let redirectURI = RedirectURI.loopback(port: port)  // in production, such as .https(host: "app.example.com", path: "/callback")
let client = OAuthClient(id: "web-app", secret: Secret(readLine() ?? ""))
let server = AuthorizationServer(provider, dependencies: .network)
let sessions = OAuthSession.Configuration(
    server: provider, client: client, scope: ["openid"], grant: .refreshToken, store: MemoryCredentialStore(), dependencies: .network)
let key = SymmetricKey(size: .bits256)  // in production, the same key on all machines
struct Visitor: Codable { let subject: String, end: Date }
/// A cookie that only this program can read and write, under a name that no other site can set.
func cookie(_ name: String, _ value: some Encodable, seconds: Int) throws -> String {
    let sealed = try ChaChaPoly.seal(JSONEncoder().encode(value), using: key, authenticating: Data(name.utf8)).combined
    return "__Host-\(name)=\(sealed.base64EncodedString()); Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=\(seconds)"
}

func open<Value: Decodable>(_ name: String, in request: Request, as type: Value.Type) -> Value? {
    let sealed = request.cookies["__Host-\(name)"].flatMap { Data(base64Encoded: $0.value) } ?? Data()
    guard let value = try? ChaChaPoly.open(.init(combined: sealed), using: key, authenticating: Data(name.utf8)) else { return nil }
    return try? JSONDecoder().decode(type, from: value)
}

func redirect(_ url: String, setting cookies: String...) -> Response {
    Response(status: .seeOther, headers: .init([.init(name: .location, value: url)] + cookies.map { .init(name: .setCookie, value: $0) }))
}

let router = Router()
router.get("/") { request, _ in
    guard let user = open("user", in: request, as: Visitor.self), user.end > .now else { return redirect("/sign-in") }
    let response = try await OAuthSession(sessions, label: user.subject).load(.get(issuer + "/user"))
    return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "user \(user.subject), GET /user: \(response.status)")))
}
router.get("/sign-in") { _, _ in
    let (url, pending) = try await server.beginSignIn(as: client, scope: ["openid", "user", "offline_access"], redirectURI: redirectURI)
    return redirect(url, setting: try cookie("sign-in", pending, seconds: 600))
}
router.get("/callback") { request, _ in
    guard var pending = open("sign-in", in: request, as: PendingSignIn.self) else { return Response(status: .badRequest) }
    let url = "\(redirectURI)?\(request.uri.query ?? "")"
    guard let result = try? await server.finishSignIn(&pending, as: client, callback: url), let user = result.idToken?.subject
    else { return Response(status: .badRequest, headers: [.setCookie: try cookie("sign-in", "", seconds: 0)]) }
    try await OAuthSession(sessions, label: user).adopt(result)
    let visitor = Visitor(subject: user, end: .now + 3600)
    return redirect("/", setting: try cookie("user", visitor, seconds: 3600), try cookie("sign-in", "", seconds: 0))  // used once
}
try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: Int(port)))).runService()
