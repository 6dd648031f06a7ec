import AuthHubPrimitives

/// What a fresh profile says before Firefox sees it for the first time.
struct FirefoxProfile: Sendable {
    let preferences: FirefoxPreferences
    /// Which program opens URLs of which scheme; nil where none does.
    let handlers: JSONValue?

    /// - Parameters:
    ///   - scheme: Whose URLs are handed over without asking the person, in lower case; those of all others are dropped.
    ///   - handler: The program that gets them.
    ///   - downloads: Where files go that a page makes it load down.
    init(scheme: String?, handler: String, downloads: String) {
        var preferences = FirefoxPreferences.signIn
        preferences.set(.number(2), "browser.download.folderList")
        preferences.set(.text(downloads), "browser.download.dir")
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
