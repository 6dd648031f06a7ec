import AuthHubPrimitives

/// The files in a fresh profile before Firefox first reads it.
struct FirefoxProfile: Sendable {
    let preferences: FirefoxPreferences
    /// The programs that open URLs, by scheme; nil if there are none.
    let handlers: JSONValue?

    /// Creates the files.
    ///
    /// - Parameters:
    ///   - scheme: The scheme, in lower case, whose URLs are passed on without asking the user; those of all others are dropped.
    ///   - handler: The program that opens them.
    ///   - downloads: The folder for downloads that a page starts.
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
