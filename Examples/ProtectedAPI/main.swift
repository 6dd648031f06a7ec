// An API that accepts the signed access tokens of an authorization server.
//
//     authhub serve --persona oidc --port 8080
//     swift run --package-path Examples ProtectedAPI                             # then: GET http://127.0.0.1:8082/orders

import AuthHub
import Hummingbird

let arguments = CommandLine.arguments.dropFirst()
let issuer = try Issuer(arguments.first ?? "http://127.0.0.1:8080", transport: .insecureHTTPOnLoopbackForDevelopment)
let server = AuthorizationServer(.issuer(issuer), dependencies: .network)
let router = Router()
router.get("/orders") { request, _ in
    func reject(_ status: HTTPResponse.Status, _ challenge: String) -> Response {
        Response(status: status, headers: [.wwwAuthenticate: challenge])
    }
    let field = request.headers[.authorization] ?? ""
    guard field.lowercased().hasPrefix("bearer ") else { return reject(.unauthorized, "Bearer") }
    do {
        let claims = try await server.verify(accessToken: Secret(String(field.dropFirst(7))), audience: "https://api.example.com")
        guard claims.scope.contains("repo") else { return reject(.forbidden, #"Bearer error="insufficient_scope", scope="repo""#) }
        return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "the orders of \(claims.subject)")))
    } catch let error as SessionError where error.code == .securityCheckFailed {
        return reject(.unauthorized, #"Bearer error="invalid_token""#)
    } catch {
        return Response(status: .serviceUnavailable)
    }
}
let port = arguments.dropFirst().first.flatMap(Int.init) ?? 8082
try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port))).runService()
