import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// The options that sign in with a token of another program instead of asking the user.
struct BroughtTokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with a refresh token that another program obtained for this client, or - for standard input. It is used at once, and replaces the sign-in page.",
            valueName: "file|-"),
        completion: .file())
    var withRefreshToken: String?

    @Option(
        help: ArgumentHelp(
            "A file with an access token, or - for standard input. It is stored unchecked, and cannot be refreshed.", valueName: "file|-"),
        completion: .file())
    var withToken: String?

    func validate() throws {
        guard withRefreshToken == nil || withToken == nil else {
            throw ValidationError("--with-refresh-token and --with-token cannot be used together; a refresh token is enough.")
        }
    }

    /// The option that was typed; nil if none was.
    var typed: String? {
        withRefreshToken.map { _ in "--with-refresh-token" } ?? withToken.map { _ in "--with-token" }
    }

    /// Whether the token is read from standard input.
    var readsStandardInput: Bool { (withRefreshToken ?? withToken) == "-" }

    /// Reads the token; nil if no option was typed.
    func token() throws(Failure) -> BroughtToken? {
        if let withRefreshToken { return .refreshToken(try Self.read(withRefreshToken, "refresh token", member: "refresh_token")) }
        if let withToken { return .accessToken(try Self.read(withToken, "access token", member: "access_token")) }
        return nil
    }

    private static func read(_ path: String, _ name: String, member: String) throws(Failure) -> Secret<String> {
        // The path is not repeated, because it may be the token itself.
        guard path == "-" || InputFile.exists(path) else {
            throw .usage(
                "the file with the \(name) does not exist",
                hint: "name a file, or - for standard input; never type a token as an argument, which other programs can read")
        }
        let secret = try InputFile.secret(in: path, called: name)
        let place = path == "-" ? "standard input" : path
        let text = secret.reveal()
        guard !text.hasPrefix("{") else {
            throw .usage("\(place) is a JSON document instead of the \(name) itself", hint: "pass on only the value of “\(member)”")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .usage(
                "\(place) does not contain only a token, because tokens have no spaces and only printable ASCII characters",
                hint: "pass on only the \(name), without a name or “Bearer” in front of it")
        }
        return secret
    }
}

/// A token that another program obtained.
enum BroughtToken: Sendable {
    case refreshToken(Secret<String>)
    case accessToken(Secret<String>)

    var isRefreshToken: Bool { if case .refreshToken = self { true } else { false } }

    /// Signs in with the token.
    ///
    /// - Parameter scope: The scope of the token, as far as it is known.
    func adopt(by session: OAuthSession, scope: Scope?) async throws(SessionError) {
        switch self {
        case .refreshToken(let token): try await session.adopt(refreshToken: token)
        case .accessToken(let token):
            let response: TokenResponse
            do throws(OAuthError) {
                response = try TokenResponse(accessToken: token, scope: scope ?? [])
            } catch {
                throw SessionError(.misconfigured, error.explanation, underlying: error)
            }
            try await session.adopt(response)
        }
    }
}
