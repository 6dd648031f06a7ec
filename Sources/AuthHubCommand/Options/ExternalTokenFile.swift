import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// A file with a token of another program, or `-` for standard input. The token replaces the sign-in page.
enum ExternalTokenFile: Sendable {
    case refreshToken(String)
    case accessToken(String)

    /// The option that names the file.
    var option: String { if case .refreshToken = self { "--with-refresh-token" } else { "--with-token" } }

    /// Whether the token is read from standard input.
    var isStandardInput: Bool {
        switch self {
        case .refreshToken(let path), .accessToken(let path): path == "-"
        }
    }

    /// Reads the token.
    func token() throws(Failure) -> ExternalToken {
        switch self {
        case .refreshToken(let path): .refreshToken(try Self.read(path, "refresh token", member: "refresh_token"))
        case .accessToken(let path): .accessToken(try Self.read(path, "access token", member: "access_token"))
        }
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
enum ExternalToken: Sendable {
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
