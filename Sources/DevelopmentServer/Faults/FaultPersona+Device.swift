import AuthHubPrimitives

/// Faults in the response with a device's code (RFC 8628 §3.2), only for the device flow.
extension FaultPersona {
    /// The faults in the device flow.
    package static let device: [FaultPersona] = [
        altered("DV01-no-device-code", "no device code", .member("device_code", nil)),
        altered("DV01-no-user-code", "no user code", .member("user_code", nil)),
        altered("DV01-no-address", "no verification URI", .member("verification_uri", nil)),
        altered("DV01-empty", "an empty device code", .member("device_code", "")),
        altered("DV01-number", "a number as the user code", .member("user_code", 7)),
        altered("DV03-no-lifetime", "no lifetime", .member("expires_in", nil)),
        altered("DV03-zero", "a lifetime of 0", .member("expires_in", 0)),
        altered("DV03-negative", "a negative lifetime", .member("expires_in", -1)),
        altered("DV03-word", "a word as the lifetime", .member("expires_in", "soon")),
        altered("DV06-invisible", "a user code of invisible characters", .member("user_code", "\u{202E}\u{7}")),
        failing("DV09-client", "an unknown client", .oauthError("invalid_client")),
        failing("DV09-disabled", "a client that may not use the flow", .oauthError("unauthorized_client")),
        failing("DV11-busy", "a busy server", .status(503, retryAfter: .seconds(30))),
        failing("DV18-busy", "429 with an error about the client", .answer(status: 429, body: #"{"error":"invalid_client"}"#)),
        failing("ER03-device-echo", "an error that repeats the request", .echo(status: 400)),
        failing("DV01-page", "a web page", .html),
        failing("DV01-lost", "no response", .dropConnection),
        altered("DV03-text", "a string as the lifetime", .member("expires_in", "900"), isHarmless: true),
        altered("DV04-none", "no interval", .member("interval", nil), isHarmless: true),
        altered("DV04-null", "null as the interval", .member("interval", .null), isHarmless: true),
        altered("DV04-zero", "an interval of 0", .member("interval", 0), isHarmless: true),
        altered("DV04-negative", "a negative interval", .member("interval", -5), isHarmless: true),
        altered("DV04-text", "a string as the interval", .member("interval", "1"), isHarmless: true),
        altered("DV05-http", "a verification URI without TLS", .member("verification_uri", "http://login.example/go"), isHarmless: true),
        altered(
            "DV05-person", "a verification URI with user information", .member("verification_uri", "https://a@b.example/"), isHarmless: true
        ),
        altered(
            "DV05-script", "a javascript: URL as the verification URI", .member("verification_uri", "javascript:alert(1)"), isHarmless: true
        ),
        altered("DV06-escape", "a user code with escape sequences", .member("user_code", "AB\u{1B}[2J\u{202E}CD"), isHarmless: true),
    ]

    private static func altered(_ id: String, _ behavior: String, _ changes: AnswerChange..., isHarmless: Bool = false) -> FaultPersona {
        FaultPersona(id, behavior, at: .deviceAuthorization, .altered(changes), isHarmless: isHarmless)
    }

    private static func failing(_ id: String, _ behavior: String, _ fault: Fault) -> FaultPersona {
        FaultPersona(id, behavior, at: .deviceAuthorization, fault)
    }
}
