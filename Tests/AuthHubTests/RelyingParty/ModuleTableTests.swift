import DevelopmentServer
import Platform
import Testing

/// The list of the modules in docs/checks.md, compared with the rows of the tests.
struct ModuleTableTests {
    /// The modules in the suite, without the prefix `oidcc-client-test`.
    private static let names = [
        "", "-client-secret-basic", "-nonce-unless-code-flow", "-nonce-invalid", "-invalid-iss", "-invalid-aud", "-missing-aud",
        "-missing-sub", "-missing-iat", "-invalid-sig-rs256", "-invalid-sig-es256", "-invalid-sig-hs256", "-idtoken-sig-rs256",
        "-idtoken-sig-none", "-kid-absent-single-jwks", "-kid-absent-multiple-jwks", "-invalid-athash", "-missing-athash",
        "-invalid-chash", "-missing-chash", "-userinfo-bearer-header", "-userinfo-bearer-body", "-userinfo-invalid-sub",
        "-userinfo-signed", "-scope-userinfo-claims", "-aggregated-claims", "-distributed-claims", "-request-uri-signed-rs256",
        "-request-uri-signed-none", "-form-post-error", "-mtls-endpoint-aliases", "-refresh-token", "-refresh-token-invalid-issuer",
        "-refresh-token-invalid-sub", "-3rd-party-init-login", "-discovery-openid-config", "-discovery-jwks-uri-keys",
        "-discovery-issuer-mismatch", "-discovery-webfinger-acct", "-discovery-webfinger-url", "-dynamic-registration",
        "-signing-key-rotation", "-signing-key-rotation-just-before-signing", "-rp-init-logout", "-rp-init-logout-other-state",
        "-rp-init-logout-no-state", "-rp-frontchannel-rpinitlogout", "-rp-frontchannel-opinitlogout", "-rp-backchannel-rpinitlogout",
        "-rp-backchannel-rpinitlogout-alg-none", "-rp-backchannel-rpinitlogout-wrong-alg", "-rp-backchannel-rpinitlogout-wrong-iss",
        "-rp-backchannel-rpinitlogout-wrong-aud", "-rp-backchannel-rpinitlogout-no-event", "-rp-backchannel-rpinitlogout-wrong-event",
        "-rp-backchannel-rpinitlogout-with-nonce", "-session-management",
    ]

    private static let modules = Set(names.map { "oidcc-client-test" + $0 })

    /// The test suites, and the modules that they play.
    private static let suites: [String: Set<String>] = [
        "SignedMessageFaultTests": Set(SignedMessageFaultTests.personas.map(\.id)).intersection(modules),
        "FrontChannelModuleTests": FrontChannelModuleTests.modules,
        "LogoutModuleTests": LogoutModuleTests.modules,
        "ClaimsModuleTests": ClaimsModuleTests.modules,
        "DiscoveryModuleTests": DiscoveryModuleTests.modules,
        "RegistrationModuleTests": RegistrationModuleTests.modules,
        "ThirdPartyLoginModuleTests": ThirdPartyLoginModuleTests.modules,
    ]

    private static var played: Set<String> { suites.values.reduce(into: []) { $0.formUnion($1) } }

    /// The lines of the document's section about the modules.
    private static func section() throws -> [Substring] {
        let root = String(#filePath.split(separator: "/Tests/AuthHubTests/")[0])
        let document = try String(decoding: Data(contentsOf: URL(filePath: root + "/docs/checks.md")), as: UTF8.self)
        return Array(document.split(separator: "\n").drop { !$0.hasPrefix("## Modules of the OpenID Foundation's suite") })
    }

    @Test func `the document lists the modules that no test plays, each with its reason`() throws {
        #expect(Self.modules.count == 57)
        let rows = try Self.section().filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|") }
        let open = rows.map { $0[0].filter { $0 != "`" && $0 != " " } }
        #expect(open.count == Set(open).count && Set(open) == Self.modules.subtracting(Self.played))
        #expect(rows.allSatisfy { $0.count == 2 && $0[1].contains { $0.isLetter } })
    }

    @Test func `the document names the suites that play modules`() throws {
        let words = Set(try Self.section().flatMap { $0.split { !$0.isLetter } }.filter { $0.hasSuffix("Tests") }.map(String.init))
        #expect(words == Set(Self.suites.keys).union(["ModuleTableTests"]))
    }

    @Test func `no test plays a module that does not exist, or that the server does not know`() {
        #expect(Self.played.isSubset(of: Self.modules))
        let known = FaultPersona.all.map(\.id).filter { $0.hasPrefix("oidcc-") }
        #expect(Set(known).isSubset(of: Self.modules) && Self.played.isSubset(of: known))
    }
}
