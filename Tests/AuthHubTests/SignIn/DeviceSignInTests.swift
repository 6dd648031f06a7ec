import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import HeadlessBrowsing
import HTTPTypes
import OAuthProtocol
import Platform
import Synchronization
import Testing

struct DeviceSignInTests {
    @Test func `shows the code, stores the tokens before it returns them, and hides the code`() async throws {
        let setting = DeviceSetting([.pending, .slowDown, .tokens])
        let session = setting.session()
        try await session.signIn()
        #expect(setting.events == ["show ABCD-EFGH", "take away ABCD-EFGH"])
        #expect(setting.clock.pauses == [.seconds(7), .seconds(7), .seconds(12)])
        #expect(try await setting.session().accessToken().value == Secret("access-1"))
        try setting.transport.verifyFinished()
        let forms = setting.transport.requests.map(\.path)
        #expect(forms == ["/device", "/token", "/token", "/token"])
    }

    @Test func `a shown code has its verification URL, the complete URL, and its expiry`() async throws {
        let setting = DeviceSetting([.tokens])
        try await setting.session().signIn()
        let code = try #require(setting.codes.first)
        #expect(code.userCode == "ABCD-EFGH")
        #expect(code.verificationURI.text == "https://as.example/go")
        #expect(code.openableURI?.text == "https://as.example/go?user_code=ABCD-EFGH")
        #expect(code.expiresAt == start.addingTimeInterval(200))
    }

    @Test func `RFC 8707 §2: the device authorization request and each poll name the resources`() async throws {
        let resource = try #require(ResourceIndicator("https://api.example/"))
        let details = try AuthorizationDetails(json: [["type": "account_information"]])
        let setting = DeviceSetting([.pending, .tokens])
        try await setting.session(target: AccessTarget(resources: [resource], details: details)).signIn()
        let forms = try setting.transport.requests.map {
            try FormParameters(decoding: String(decoding: $0.body.bytes ?? [], as: UTF8.self))
        }
        #expect(forms.map { $0.values(named: "resource") } == Array(repeating: ["https://api.example/"], count: 3))
        #expect(forms.map { $0["authorization_details"] } == [#"[{"type":"account_information"}]"#, nil, nil])
    }

    @Test func `RFC 8707: a device's token is for the resources of the session, as the server tells`() async throws {
        var persona = Persona.openID
        persona.device?.interval = .milliseconds(50)
        try await withDevelopmentServer(.init(persona: persona)) { server in
            let resources = try ["https://api.example/", "https://files.example/"].map { try #require(ResourceIndicator($0)) }
            let issuer = try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
            let person = HeadlessBrowser(
                filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared)
            let (codes, shown) = AsyncStream<DeviceCode>.makeStream()
            var configuration = OAuthSession.Configuration(
                server: .issuer(issuer), client: OAuthClient(id: "native-app"), scope: ["openid"],
                grant: .deviceCode { shown.yield($0) }, store: MemoryCredentialStore(), dependencies: .network)
            configuration.target = AccessTarget(resources: resources)
            let session = OAuthSession(configuration)
            let signIn = Task {
                // If no code is shown, the sign-in has failed, and its error is thrown below.
                defer { shown.finish() }
                try await session.signIn()
            }
            for await code in codes {
                try await person.enter(code.userCode, at: code.verificationURI.text)
                break
            }
            try await signIn.value
            let told = try await AuthorizationServer(.issuer(issuer), dependencies: .network).introspect(
                try await session.accessToken().value,
                as: OAuthClient(id: "web-app", secret: Secret("development-secret-of-the-web-app")))
            #expect(told.audience == resources.map(\.text))
        }
    }

    struct EndRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var polls: [DeviceSetting.Poll] = []
        var device = DeviceSetting.authorization
        var endpoint: String? = "https://as.example/device"
        var timeout = Duration.seconds(300)
        let code: SessionError.Code
        let party: SessionError.Party
        /// Whether the code was shown and later hidden.
        var isShown = true
    }

    @Test(arguments: [
        EndRow(testDescription: "DV09 denied", polls: [.pending, .error("access_denied")], code: .denied, party: .user),
        EndRow(testDescription: "DV09 expired at the server", polls: [.error("expired_token")], code: .timedOut, party: .user),
        EndRow(testDescription: "DV09 an unknown error code", polls: [.error("out_of_cheese")], code: .serverRejected, party: .server),
        EndRow(
            testDescription: "DV09 the client is not allowed", polls: [.error("unauthorized_client")], code: .serverRejected,
            party: .program),
        EndRow(testDescription: "a page instead of a response", polls: [.page], code: .serverMisbehaved, party: .server),
        EndRow(
            testDescription: "DV12 expired by our own clock, without a request", polls: [.pending],
            device: .json([
                "device_code": "d", "user_code": "ABCD-EFGH", "verification_uri": "https://as.example/go", "expires_in": 13, "interval": 7,
            ]),
            code: .timedOut, party: .user),
        EndRow(
            testDescription: "DV12 the session's timeout has passed", polls: [.pending], timeout: .seconds(14), code: .timedOut,
            party: .user),
        EndRow(
            testDescription: "DV01 no code", device: .json(["user_code": "u"]), code: .serverMisbehaved, party: .server, isShown: false),
        EndRow(
            testDescription: "the client is unknown", device: .json(["error": "invalid_client"], status: .unauthorized),
            code: .serverRejected, party: .program, isShown: false),
        EndRow(
            testDescription: "the server does not respond", device: .failure(.cannotConnect), code: .unreachable, party: .network,
            isShown: false),
        EndRow(testDescription: "no endpoint", endpoint: nil, code: .misconfigured, party: .program, isShown: false),
    ])
    func `every outcome has its own error, and hides the code`(row: EndRow) async throws {
        let setting = DeviceSetting(row.polls, device: row.endpoint == nil ? nil : row.device, endpoint: row.endpoint)
        let failure = await #expect(throws: SessionError.self) { try await setting.session(timeout: row.timeout).signIn() }
        #expect(failure?.code == row.code, "\(String(describing: failure))")
        #expect(failure?.whoHasToAct == row.party)
        #expect(setting.events == (row.isShown ? ["show ABCD-EFGH", "take away ABCD-EFGH"] : []))
        try setting.transport.verifyFinished()
        #expect(try await setting.store.read(setting.session().account) == nil)
    }

    @Test func `DV10, DV11: polls on after lost connections and while the server is busy`() async throws {
        let setting = DeviceSetting([.lost, .lost, .busy(retryAfter: 41), .pending, .tokens])
        try await setting.session().signIn()
        #expect(setting.clock.pauses == [7, 14, 28, 56, 7].map { .seconds($0) })
    }

    @Test func `DV14: a cancelled wait ends at once, and hides the code`() async throws {
        let setting = DeviceSetting([], clock: PollClock(standing: true))
        let session = setting.session()
        let signIn = Task { try await session.signIn() }
        await setting.clock.untilAsleep()
        signIn.cancel()
        let failure = await #expect(throws: SessionError.self) { try await signIn.value }
        #expect(failure?.code == .cancelledByProgram)
        await session.finish()
        #expect(setting.events == ["show ABCD-EFGH", "take away ABCD-EFGH"])
        #expect(setting.transport.requests.map(\.path) == ["/device"])
    }

    @Test func `revokes tokens that arrive after the cancellation`() async throws {
        let held = HeldAnswer()
        let setting = DeviceSetting([.held(held)], isRevoked: true)
        let session = setting.session()
        let signIn = Task { try await session.signIn() }
        await setting.transport.untilRequested(2)
        signIn.cancel()
        _ = await signIn.result
        held.release(DeviceSetting.Poll.tokens.answer)
        await session.finish()
        #expect(setting.transport.requests.map(\.path) == ["/device", "/token", "/revoke", "/revoke"])
        try setting.transport.verifyFinished()
        #expect(try await setting.store.read(session.account) == nil)
    }

    @Test func `a second session of the account waits for the first one's code and uses its tokens`() async throws {
        let store = MemoryCredentialStore()
        let held = HeldAnswer()
        let first = DeviceSetting([.held(held)], store: store)
        let watched = LeaseWatchingStore(store)
        let second = DeviceSetting([], device: nil, store: watched)
        let leading = Task { [session = first.session()] in try await session.accessToken().value }
        await first.transport.untilRequested(2)
        let following = Task { [session = second.session()] in try await session.accessToken().value }
        await watched.untilWaitedFor()
        held.release(DeviceSetting.Poll.tokens.answer)
        #expect(try await leading.value == Secret("access-1"))
        #expect(try await following.value == Secret("access-1"))
        #expect(second.events.isEmpty)
        #expect(second.transport.requests.isEmpty)
    }

    @Test func `can request more scopes, but not a stronger authentication`() async throws {
        let setting = DeviceSetting([.tokens])
        try await setting.session().stepUp(StepUpRequirement(scope: ["write"]))
        let body = setting.transport.requests.first?.body.bytes
        #expect(try FormParameters(decoding: String(decoding: body ?? [], as: UTF8.self))["scope"] == "read write")
        let stronger = DeviceSetting([], device: nil)
        let failure = await #expect(throws: SessionError.self) {
            try await stronger.session().stepUp(StepUpRequirement(acrValues: ["mfa"]))
        }
        #expect(failure?.code == .cannotSignInHere)
    }
}

/// A scripted server that supports devices, and a user who looks at a screen.
final class DeviceSetting: Sendable {
    enum Poll: Sendable {
        case pending, slowDown, tokens, lost, page
        case error(String)
        case busy(retryAfter: Int)
        case held(HeldAnswer)

        var answer: ScriptedAnswer {
            switch self {
            case .pending: Poll.error("authorization_pending").answer
            case .slowDown: Poll.error("slow_down").answer
            case .error(let code): .json(["error": .string(code)], status: .badRequest)
            case .tokens: .json(["access_token": "access-1", "token_type": "Bearer", "refresh_token": "refresh-1", "expires_in": 3600])
            case .lost: .failure(.connectionLost)
            case .page: .status(.ok, headers: [.contentType: "text/html"], body: Array("<html>".utf8))
            case .busy(let seconds): .status(.serviceUnavailable, headers: [.retryAfter: String(seconds)])
            case .held(let held): .held(held)
            }
        }
    }

    static let authorization = ScriptedAnswer.json([
        "device_code": "d-1", "user_code": "ABCD-EFGH", "verification_uri": "https://as.example/go",
        "verification_uri_complete": "https://as.example/go?user_code=ABCD-EFGH", "expires_in": 200, "interval": 7,
    ])

    let transport: ScriptedTransport
    let clock: PollClock
    let store: any CredentialStore
    private let profile: ProviderProfile
    private let shown = Mutex<(codes: [DeviceCode], events: [String])>(([], []))

    init(
        _ polls: [Poll], device: ScriptedAnswer? = authorization, endpoint: String? = "https://as.example/device",
        store: any CredentialStore = MemoryCredentialStore(), clock: PollClock = PollClock(), isRevoked: Bool = false
    ) {
        var steps = device.map { [ScriptedTransport.Step(.post("https://as.example/device"), $0)] } ?? []
        steps += polls.map { .init(.post("https://as.example/token"), $0.answer) }
        if isRevoked { steps += (0..<2).map { _ in .init(.post("https://as.example/revoke"), .status(.ok)) } }
        transport = ScriptedTransport(steps)
        var profile = SessionSetting.profile
        profile.endpoints?.deviceAuthorization = endpoint
        self.profile = profile
        self.store = store
        self.clock = clock
    }

    var codes: [DeviceCode] { shown.withLock(\.codes) }
    var events: [String] { shown.withLock(\.events) }

    func session(timeout: Duration = .seconds(300), target: AccessTarget = AccessTarget()) -> OAuthSession {
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.clock = LoadClock(clock)
        let grant = AuthorizationGrant.deviceCode { code in
            self.shown.withLock {
                $0.codes.append(code)
                $0.events.append("show \(code.userCode)")
            }
        } dismiss: { code in
            self.shown.withLock { $0.events.append("take away \(code.userCode)") }
        }
        var configuration = OAuthSession.Configuration(
            server: profile, client: OAuthClient(id: "client"), scope: ["read"], grant: grant, store: store, dependencies: dependencies)
        configuration.target = target
        configuration.signInTimeout = timeout
        return OAuthSession(configuration)
    }
}

/// A clock that advances with the pauses between polls, and stands still for everything else, such as request timeouts.
final class PollClock: Clock, Sendable {
    typealias Instant = TestClock.Instant

    /// A time that a clock never reaches if it is not advanced. Callers that sleep until then are cancelled.
    private static let never = Instant(offset: .seconds(1))

    private let standing: Bool
    private let hands = Mutex<(now: Instant, pauses: [Duration])>((Instant(offset: .zero), []))
    private let inner = TestClock()

    /// - Parameter standing: Whether the clock stands still, so that the pauses never end.
    init(standing: Bool = false) {
        self.standing = standing
    }

    var now: Instant { hands.withLock(\.now) }
    var minimumResolution: Duration { .zero }
    var pauses: [Duration] { hands.withLock(\.pauses) }

    func untilAsleep() async { await inner.untilAsleep() }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let isPause =
            !standing
            && hands.withLock { hands in
                let pause = hands.now.duration(to: deadline)
                guard [7, 12, 14, 28, 41, 56].contains(where: { pause == .seconds($0) }) else { return false }
                hands.now = deadline
                hands.pauses.append(pause)
                return true
            }
        if !isPause { try await inner.sleep(until: Self.never) }
    }
}

extension LoadRequest {
    fileprivate var path: String { String((head.path ?? "").prefix { $0 != "?" }) }
}
