import AuthHubPrimitives

/// Faults in the responses of the token endpoint.
extension FaultPersona {
    static let tokens: [FaultPersona] = [
        rejected("TR01-error", "an error with status 400", .oauthError("invalid_grant")),
        rejected("TR02-error-in-200", "an error with status 200", .answer(body: #"{"error":"invalid_grant"}"#)),
        altered("TR03-no-token", "no access_token", .member("access_token", nil)),
        altered("TR04-empty", "an empty access_token", .member("access_token", "")),
        altered("TR04-null", "null as the access_token", .member("access_token", .null)),
        altered("TR04-number", "a number as the access_token", .member("access_token", 7)),
        altered("TR04-array", "an array as the access_token", .member("access_token", ["a"])),
        altered("TR04-object", "an object as the access_token", .member("access_token", .object(JSONObject()))),
        altered("TR05-line-feed", "an access_token with a line feed", .member("access_token", "a\nX-Injected: 1")),
        altered("TR05-space", "an access_token with a space", .member("access_token", "a b")),
        altered("TR05-not-ascii", "an access_token with a non-ASCII letter", .member("access_token", "tök")),
        altered("TR06-no-type", "no token_type", .member("token_type", nil)),
        altered("TR07-mac", "an unknown token_type", .member("token_type", "mac")),
        harmless("TR08-case", "the token_type with other capital letters", .member("token_type", "bEARER")),
        harmless("TR11-text", "the lifetime as a string", .member("expires_in", "3600")),
        harmless("TR11-fraction", "the lifetime as a fraction", .member("expires_in", .number(JSONNumber(text: "3600.0")))),
        harmless("TR12-negative", "a negative lifetime", .member("expires_in", .number(JSONNumber(text: "-1")))),
        harmless("TR12-boolean", "true as the lifetime", .member("expires_in", true)),
        harmless("TR12-huge", "a lifetime of 1e400 seconds", .member("expires_in", .number(JSONNumber(text: "1e400")))),
        harmless("TR13-missing", "no lifetime", .member("expires_in", nil)),
        harmless("TR14-null", "null for optional members", .member("refresh_token", .null), .member("scope", .null)),
        harmless("TR15-empty", "an empty refresh_token", .member("refresh_token", "")),
        harmless("TR15-number", "a number as the refresh_token", .member("refresh_token", 7)),
        harmless("TR16-absent", "no scope", .member("scope", nil)),
        harmless("TR16-empty", "an empty scope", .member("scope", "")),
        harmless("TR17-array", "an array as the scope", .member("scope", ["openid"])),
        harmless("TR17-number", "a number as the scope", .member("scope", 7)),
        rejected("TR20-scalar", "a JSON value that is not an object", .answer(body: "7")),
        rejected("TR20-array", "a JSON array", .answer(body: "[]")),
        rejected("TR20-empty", "an empty body", .answer(body: "")),
        rejected("TR20-broken", "half a JSON object", .answer(body: #"{"access_token":"a""#)),
        harmless("TR20-byte-order-mark", "a byte order mark before the object", .surrounded(before: "\u{FEFF}")),
        altered("TR20-trailing", "bytes after the object", .surrounded(after: "{}")),
        rejected("TR20-cut-off", "a connection that ends in the middle of the body", .truncated),
        altered("TR21-twice", "the access_token twice", .repeatedMember("access_token", "other")),
        rejected("TR22-deep", "10,000 nested arrays", .answer(body: #"{"a":"# + String(repeating: "[", count: 10_000))),
        rejected("TR22-large", "more than 1 MiB", .answer(body: #"{"a":""# + String(repeating: "x", count: 1_200_000) + #""}"#)),
        rejected("TR23-page", "a web page with status 200", .html),
        rejected("TR23-firewall", "a web page with status 403", .answer(status: 403, mediaType: "text/html", body: "<h1>Blocked</h1>")),
        harmless("TR24-text", "JSON with the media type of plain text", .header("Content-Type", "text/plain")),
        harmless("TR24-page", "JSON with the media type of a web page", .header("Content-Type", "text/html")),
        harmless("TR24-no-type", "JSON without a media type", .header("Content-Type", nil)),
        rejected("TR26-moved", "a redirect with status 301", redirect(301)),
        rejected("TR26-found", "a redirect with status 302", redirect(302)),
        rejected("TR26-see-other", "a redirect with status 303", redirect(303)),
        rejected("TR26-temporary", "a redirect with status 307", redirect(307)),
        rejected("TR26-permanent", "a redirect with status 308", redirect(308)),
        rejected("TR27-challenge", "401 with a challenge and no error", .answer(status: 401, header: ["WWW-Authenticate": "Basic"])),
        harmless("TR28-challenge", "200 with an unexpected challenge", .header("WWW-Authenticate", "Basic")),
        rejected("TR29-lost", "no response to a code that was accepted", .dropAnswer),
        rejected("TR31-busy", "503 with a Retry-After", .status(503, retryAfter: .seconds(7))),
        rejected("TR33-client", "an error about the client", .oauthError("invalid_client")),
        rejected("TR33-failing", "status 500", .status(500)),
        rejected("TR34-scope", "an error about the scope", .oauthError("invalid_scope")),
        rejected("TR34-target", "an error about the resource", .oauthError("invalid_target")),
        rejected("TR35-number", "a number as the error", .answer(status: 400, body: #"{"error":7}"#)),
        rejected("TR35-long", "an error with a description of 500,000 letters", .answer(status: 400, body: longError)),
        harmless("TR36-unknown", "an unknown member", .member("unknown", .array([true]))),
        harmless("TR45-empty-error", "an empty error in addition to the tokens", .member("error", "")),
        harmless("TR45-false-error", "false as the error in addition to the tokens", .member("error", false)),
        altered("TR46-error", "an error in addition to the tokens", .member("error", "invalid_scope")),
        altered("TR52-words", "text before the object", .surrounded(before: "Warning: deprecated\n")),
        altered("TR46-member-twice", "the token_type twice", .repeatedMember("token_type", "Bearer")),
        rejected(
            "TR48-grant-in-500", "status 500 with an error about the grant", .answer(status: 500, body: #"{"error":"invalid_grant"}"#)),
        rejected(
            "TR48-client-in-429", "status 429 with an error about the client",
            .answer(status: 429, body: #"{"error":"invalid_client"}"#, header: ["Retry-After": "7"])),
        rejected("ER03-echo", "an error that repeats the request", .echo(status: 400)),
        rejected("ER03-echo-in-500", "status 500 with an error that repeats the request", .echo(status: 500)),
        rejected("ER03-echo-page", "a web page that repeats the request", .echo(status: 500, mediaType: "text/html")),
        harmless("TR40-stored", "no Cache-Control", .header("Cache-Control", nil)),
    ]

    private static let longError =
        #"{"error":"invalid_request","error_description":""# + String(repeating: "long ", count: 100_000) + #""}"#

    private static func redirect(_ status: Int) -> Fault {
        .answer(status: status, header: ["Location": "https://elsewhere.example/token"])
    }

    private static func rejected(_ id: String, _ behavior: String, _ fault: Fault) -> FaultPersona {
        FaultPersona(id, behavior, at: .tokenEndpoint, fault)
    }

    private static func altered(_ id: String, _ behavior: String, _ changes: AnswerChange...) -> FaultPersona {
        FaultPersona(id, behavior, at: .tokenEndpoint, .altered(changes))
    }

    private static func harmless(_ id: String, _ behavior: String, _ changes: AnswerChange...) -> FaultPersona {
        FaultPersona(id, behavior, at: .tokenEndpoint, .altered(changes), isHarmless: true)
    }
}
