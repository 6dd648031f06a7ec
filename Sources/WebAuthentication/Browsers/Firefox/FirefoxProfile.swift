import AuthHubPrimitives

/// What a fresh profile says before Firefox sees it for the first time.
struct FirefoxProfile: Sendable {
    let preferences: FirefoxPreferences
    /// Which program opens URLs of which scheme; nil where none does.
    let handlers: JSONValue?

    /// - Parameters:
    ///   - scheme: Whose URLs are handed over without asking the person, in lower case; those of all others are dropped.
    ///   - handler: The program that gets them.
    init(scheme: String?, handler: String) {
        var preferences = FirefoxPreferences.signIn
        if let scheme {
            preferences.handOver(scheme)
            var schemes = JSONObject()
            schemes[scheme] = ["action": 2, "handlers": [["name": "AuthHub", "path": .string(handler)]]]
            handlers = ["defaultHandlersVersion": [:], "mimeTypes": [:], "schemes": .object(schemes)]
        } else {
            handlers = nil
        }
        self.preferences = preferences
    }

    func write(to profile: TemporaryProfile) throws(WebAuthenticationError) {
        try profile.write(preferences.text, to: "user.js")
        if let handlers { try profile.write(String(decoding: handlers.serialized(), as: UTF8.self), to: "handlers.json") }
    }
}
