/// Faults in the callback.
extension FaultPersona {
    static let authorization: [FaultPersona] = [
        altered("AR02-no-state", "a callback without state", .parameter("state", nil)),
        altered("AR03-wrong-state", "a callback with another state", .parameter("state", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")),
        altered("AR07-two-codes", "a callback with two codes", .repeatedParameter("code", "other")),
        altered("AR07-two-states", "a callback with two states", .repeatedParameter("state", "other")),
        altered("AR07-two-issuers", "a callback with two issuers", .repeatedParameter("iss", "https://other.example")),
        altered("AR08-both", "a code and an error", .parameter("error", "access_denied")),
        altered("AR09-neither", "neither code nor error", .parameter("code", nil)),
        altered("AR10-empty-code", "an empty code", .parameter("code", "")),
        altered("AR11-unknown-error", "an unknown error code", .parameter("code", nil), .parameter("error", "out_of_cheese")),
        altered(
            "AR12-escape", "an error with escape sequences for terminals", .parameter("code", nil),
            .parameter("error", "server_error"), .parameter("error_description", "\u{1B}[2Jgone\u{202E}\u{7}")),
        altered(
            "AR13-script", "an error with a javascript: URL", .parameter("code", nil), .parameter("error", "server_error"),
            .parameter("error_uri", "javascript:alert(1)")),
        altered(
            "AR14-strange-error", "an error with another state", .parameter("code", nil), .parameter("state", "other"),
            .parameter("error", "access_denied")),
        altered(
            "AR14-strange-issuer", "an error that names another issuer", .parameter("code", nil), .parameter("error", "access_denied"),
            .parameter("iss", "https://other.example")),
        altered("AR15-no-issuer", "a callback without the promised issuer", .parameter("iss", nil)),
        altered("AR16-other-issuer", "a callback from another issuer", .parameter("iss", "https://other.example")),
        altered("AR20-response", "a signed response that was not requested", .parameter("response", "a.b.c")),
        altered("AR28-fragment", "the response in the fragment", .parametersInFragment),
        altered("AR29-token", "an access token in addition to the code", .parameter("access_token", "injected")),
        altered("AR35-escape", "an invalid percent-encoding", .callbackSuffix("&x=%G1")),
        altered("AR67-overlong", "an overlong UTF-8 encoding in a parameter without use", .callbackSuffix("&x=%C0%AF"), isHarmless: true),
        altered("AR67-null", "a NUL in a parameter without use", .callbackSuffix("&x=%00"), isHarmless: true),
        altered(
            "AR67-description", "an error with a description in ISO 8859-1", .parameter("code", nil), .parameter("error", "access_denied"),
            .callbackSuffix("&error_description=Refus%E9")),
        altered("AR43-long", "a callback of more than 64 KiB", .parameter("padding", String(repeating: "x", count: 66_000))),
        altered("AR43-many", "more than 100 parameters", .callbackSuffix(String(repeating: "&x=1", count: 120))),
        altered("AR57-unknown", "an unknown parameter", .parameter("unknown", "1"), isHarmless: true),
        altered("AR58-session", "a session_state", .parameter("session_state", "a.b"), isHarmless: true),
    ]

    private static func altered(_ id: String, _ behavior: String, _ changes: AnswerChange..., isHarmless: Bool = false) -> FaultPersona {
        FaultPersona(id, behavior, at: .authorization, .altered(changes), isHarmless: isHarmless)
    }
}
