import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import OAuthProtocol
import Testing

/// Errors in callbacks that say what the server still requires from the user.
struct RejectedPageTests {
    /// A user whose server rejects every page that does not ask for consent.
    private static func strict(_ error: String, _ explanation: String) -> @Sendable (String) async -> ScriptedBrowser.Visit {
        { url in
            guard parameter("prompt", of: url) != "consent" else { return await consenting(url) }
            let state = parameter("state", of: url)
            return .callback("http://127.0.0.1:49152/callback?error=\(error)&error_description=\(explanation)&state=\(state)")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let scope: Scope
        let error: String
        var explanation = "no"
        var options = SignInOptions()
        /// The prompts of the pages.
        let prompts: [String]
        let code: SessionError.Code?
    }

    static let rows: [Row] = [
        Row(
            testDescription: "AR69 offline_access needs consent", scope: ["read", "offline_access"], error: "invalid_request",
            prompts: ["", "consent"], code: nil),
        Row(
            testDescription: "AR69 an invalid scope, because of the consent", scope: ["offline_access"], error: "invalid_scope",
            explanation: "Consent+in+prompt+is+needed", prompts: ["", "consent"], code: nil),
        Row(
            testDescription: "AR69 an invalid scope", scope: ["offline_access"], error: "invalid_scope", prompts: [""],
            code: .serverRejected),
        Row(testDescription: "AR69 no offline_access", scope: ["read"], error: "invalid_request", prompts: [""], code: .serverRejected),
        Row(
            testDescription: "AR69 a prompt that the caller chose", scope: ["offline_access"], error: "invalid_request",
            options: SignInOptions(prompt: "login"), prompts: ["login"], code: .serverRejected),
        Row(testDescription: "AR68 consent", scope: ["read"], error: "consent_required", prompts: [""], code: .denied),
        Row(testDescription: "AR68 interaction", scope: ["read"], error: "interaction_required", prompts: [""], code: .denied),
        Row(testDescription: "AR68 a sign-in", scope: ["read"], error: "login_required", prompts: [""], code: .denied),
        Row(testDescription: "AR68 an account", scope: ["read"], error: "account_selection_required", prompts: [""], code: .denied),
        Row(
            testDescription: "AR68 a page that may not ask", scope: ["read"], error: "consent_required",
            options: SignInOptions(prompt: "none"), prompts: ["none"], code: .serverRejected),
        Row(testDescription: "another error", scope: ["read"], error: "out_of_cheese", prompts: [""], code: .serverRejected),
    ]

    @Test(arguments: rows)
    func `AR68, AR69: a page without consent is shown once more with it, or is a denial`(row: Row) async throws {
        let setting = SessionSetting(person: Self.strict(row.error, row.explanation))
        var configuration = setting.configuration(.manual)
        configuration.scope = row.scope
        let session = OAuthSession(configuration)
        var code: SessionError.Code?
        do throws(SessionError) {
            try await session.signIn(row.options)
        } catch {
            code = error.code
            #expect(error.serverError?.code.rawValue == row.error)
        }
        #expect(code == row.code)
        #expect(setting.browser.visitedURLs.map { parameter("prompt", of: $0) } == row.prompts)
        #expect(try await setting.store.accounts().count == (row.code == nil ? 1 : 0))
    }

    @Test func `AR69: shows no third page if the server rejects the one with consent, too`() async throws {
        let setting = SessionSetting { url in
            .callback("http://127.0.0.1:49152/callback?error=invalid_request&state=\(parameter("state", of: url))")
        }
        var configuration = setting.configuration(.manual)
        configuration.scope = ["offline_access"]
        let error = await #expect(throws: SessionError.self) { try await OAuthSession(configuration).signIn() }
        #expect(error?.code == .serverRejected)
        #expect(setting.browser.visitedURLs.count == 2)
    }
}
