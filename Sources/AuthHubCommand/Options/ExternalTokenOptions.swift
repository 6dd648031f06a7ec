import ArgumentParser

/// The options that sign in with a token of another program instead of asking the user.
struct ExternalTokenOptions: ParsableArguments {
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

    var file: ExternalTokenFile? { withRefreshToken.map { .refreshToken($0) } ?? withToken.map { .accessToken($0) } }
}
