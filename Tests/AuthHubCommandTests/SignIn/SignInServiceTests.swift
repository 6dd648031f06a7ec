import ArgumentParser
@testable import AuthHub
@testable import AuthHubCommand
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Platform
import Testing

/// Sign-ins at a resource, without a process: which server, account, scope and client are used.
struct SignInServiceTests {
    private static let resource = "http://127.0.0.1:1/mcp"
    private static let issuer = "http://127.0.0.1:2"

    /// The resource, its server, and a second server that issues tokens, too.
    private static let transport = RoutedTransport([
        (
            .get(resource),
            .status(
                .unauthorized,
                headers: [.wwwAuthenticate: #"Bearer scope="read", resource_metadata="http://127.0.0.1:1/.well-known/rs""#])
        ),
        (
            .get("http://127.0.0.1:1/.well-known/rs"),
            .json(["resource": .string(resource), "authorization_servers": [.string(issuer)], "scopes_supported": ["read", "write"]])
        ),
        (
            .get("\(issuer)/.well-known/oauth-authorization-server"),
            .json([
                "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
                "token_endpoint": .string("\(issuer)/token"), "response_types_supported": ["code"],
                "grant_types_supported": ["client_credentials", "authorization_code"], "code_challenge_methods_supported": ["S256"],
            ])
        ),
        (
            .post("\(issuer)/token").and("the resource") { $0.isForm(with: ("resource", resource)) },
            .json(["access_token": "t1", "token_type": "Bearer", "expires_in": 3600, "scope": "read"])
        ),
    ])

    private static func service(_ request: SignInRequest, in store: any CredentialInventory) throws -> SignInService {
        SignInService(
            request: request, store: store, network: ToolNetwork(transport: transport, proxies: nil),
            console: Console(try OutputOptions.parse(["-o", "json"])), logger: nil)
    }

    private static func request(as label: String? = nil, challenge: String = "") throws -> SignInRequest {
        SignInRequest(
            at: resource, challenge: challenge, as: label, in: try AccountOptions.parse([]), .insecureHTTPOnLoopbackForDevelopment,
            BrowserRequest())
    }

    /// An account that exists.
    struct Known: Sendable {
        let label: String
        let issuer: String
        var resource: String? = SignInServiceTests.resource
    }

    private static func store(_ accounts: [Known]) async throws -> MemoryCredentialStore {
        let store = MemoryCredentialStore()
        for account in accounts {
            var settings = AccountSettings(
                provider: .issuer(account.issuer), client: OAuthClient(id: "c"), scope: ["admin"], allowsInsecureLoopback: true)
            settings.resource = account.resource.flatMap { ResourceIndicator($0) }
            try await AccountBook(store: store).save(settings, as: account.label)
        }
        return store
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var known: [Known] = []
        var named: String?
        /// The issuer that the user named.
        var issuer: String?
        var isByUser = false
        /// The label and the scope of the sign-in; nil if it is rejected.
        let expected: (label: String, scope: Scope)?
        var code = ""
    }

    private static let newLabel = "127.0.0.1:1/mcp"

    @Test(arguments: [
        Row(testDescription: "the first account is named after the URL", expected: (newLabel, ["read"])),
        Row(testDescription: "the user names the first account", named: "work", expected: ("work", ["read"])),
        Row(
            testDescription: "an account for the resource keeps its label and its scope",
            known: [Known(label: "work", issuer: issuer)], expected: ("work", ["admin", "read"])),
        Row(
            testDescription: "several accounts are for the resource",
            known: [Known(label: "a", issuer: issuer), Known(label: "b", issuer: issuer)], expected: nil, code: "ambiguous_account"),
        Row(
            testDescription: "the user names one of several accounts",
            known: [Known(label: "a", issuer: issuer), Known(label: "b", issuer: issuer)],
            named: "b", expected: ("b", ["admin", "read"])),
        Row(
            testDescription: "the resource leads to another server, and no user has started the sign-in",
            known: [Known(label: "work", issuer: "http://127.0.0.1:3")], expected: nil, code: "security_check_failed"),
        Row(
            testDescription: "a user who starts the sign-in follows the resource to another server, without the former scope",
            known: [Known(label: "work", issuer: "http://127.0.0.1:3")], isByUser: true, expected: ("work", ["read"])),
        Row(
            testDescription: "an account for the whole origin is at another server",
            known: [Known(label: "all", issuer: "http://127.0.0.1:3", resource: "http://127.0.0.1:1/")], expected: nil,
            code: "security_check_failed"),
        Row(
            testDescription: "an account without a resource uses the same issuer",
            known: [Known(label: "login", issuer: issuer, resource: nil)], expected: nil, code: "security_check_failed"),
        Row(
            testDescription: "the user confirms the issuer that another account uses",
            known: [Known(label: "login", issuer: issuer, resource: nil)], issuer: issuer, expected: (newLabel, ["read"])),
        Row(
            testDescription: "the named account is for something else, and signed out",
            known: [Known(label: "work", issuer: issuer, resource: "http://127.0.0.1:1/other")], named: "work",
            expected: ("work", ["read"])),
    ])
    func `MC16, MC17: chooses the server, the account and the scope`(row: Row) async throws {
        var request = try Self.request(as: row.named)
        request.resource.issuer = row.issuer
        request.isByUser = row.isByUser
        let service = try Self.service(request, in: try await Self.store(row.known))
        do throws(Failure) {
            let target = try await service.findResource()
            guard var target else { return #expect(row.expected == nil) }
            let known = try? await service.book.settings(of: target.label)
            try await service.signingIn(at: target).checkIssuer(of: target, known: known)
            try await service.signingIn(at: target).confirmIssuer(of: &target, known: known)
            #expect(target.issuer == Self.issuer)
            #expect(target.label == row.expected?.label && target.protection.scope(after: known) == row.expected?.scope)
        } catch {
            #expect(row.expected == nil && error.code == row.code, "\(error.message)")
        }
    }

    @Test func `signs in at a resource, and stores an account that is bound to it`() async throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = MemoryCredentialStore()
        var request = try Self.request(challenge: #"Bearer scope="read write", resource_metadata="http://127.0.0.1:1/.well-known/rs""#)
        request.chosenFlow = .clientCredentials
        request.resource.issuer = Self.issuer
        request.provider.client = ClientRequest(id: "service", secretFile: try folder.write("secret", to: "secret"))
        let result = try await Self.service(request, in: store).perform()
        #expect(result.report.label == Self.newLabel && result.request.account.label == Self.newLabel)
        #expect(result.report.signedIn?.scope == ["read"])
        #expect(result.next.hasPrefix("authhub request \(Self.resource); "))
        let settings = try #require(try await AccountBook(store: store).settings(of: Self.newLabel))
        #expect(settings.resource?.text == Self.resource && settings.provider == .issuer(Self.issuer) && settings.isIssuerConfirmed)
        #expect(settings.scope == ["read", "write"] && settings.usesClientCredentials && settings.client.id == "service")
    }
}

extension LoadRequest {
    /// Whether the body is a form with a parameter.
    fileprivate func isForm(with parameter: (name: String, value: String)) -> Bool {
        let form = FormParameters(received: body.bytes ?? [])
        return form[parameter.name] == parameter.value
    }
}
