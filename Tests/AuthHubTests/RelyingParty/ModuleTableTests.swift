import DevelopmentServer
import Platform
import Testing

/// The table of the modules in docs/checks.md, compared with the rows of the tests.
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

    /// The last cell of each row, by module.
    private static func table() throws -> [(module: String, cell: String)] {
        let root = String(#filePath.split(separator: "/Tests/AuthHubTests/")[0])
        let document = try String(decoding: Data(contentsOf: URL(filePath: root + "/docs/checks.md")), as: UTF8.self)
        return document.split(separator: "\n").filter { $0.hasPrefix("| `oidcc-client-test") }.map { line in
            let cells = line.split(separator: "|").map { $0.filter { $0 != "`" }.trimmingPrefix { $0 == " " } }
            return (String(cells[0].prefix { $0 != " " }), String(cells[1]))
        }
    }

    @Test func `every module of the suite has one row`() throws {
        let table = try Self.table()
        #expect(Self.modules.count == 57)
        #expect(table.map(\.module) == Self.names.map { "oidcc-client-test" + $0 })
    }

    @Test func `every row names the tests that play its module, or says that there are none`() throws {
        for (module, cell) in try Self.table() {
            let playing = Self.suites.filter { $0.value.contains(module) }.keys
            let named = Self.suites.keys.filter { cell.contains($0) }
            #expect(Set(playing) == Set(named), "\(module)")
            #expect(cell.hasPrefix("*not played*: ") == playing.isEmpty, "\(module)")
        }
    }

    @Test func `no test plays a module that does not exist, or that the server does not know`() {
        let played = Self.suites.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        #expect(played.isSubset(of: Self.modules))
        let known = FaultPersona.all.map(\.id).filter { $0.hasPrefix("oidcc-") }
        #expect(Set(known).isSubset(of: Self.modules) && played.isSubset(of: known))
    }
}
