import AuthHubPrimitives
import Platform

/// The preferences in a fresh profile before Chromium first reads it.
struct ChromiumPreferences: Sendable {
    let value: JSONValue

    /// Creates the preferences. Downloads that a page starts are rejected, and anything downloaded before stays in the profile.
    ///
    /// - Parameters:
    ///   - scheme: The scheme whose URLs are passed on without asking the user if a page of this origin opens one. A redirect counts as the
    ///     page of the server that sent it; for other origins Chromium asks.
    init(in profile: TemporaryProfile, allowing scheme: String? = nil, for origin: Origin? = nil) {
        let folder = JSONValue.string("\(profile.path)/downloads")
        var members = JSONObject()
        members["download_restrictions"] = 3
        members["download"] = ["default_directory": folder, "prompt_for_download": false]
        members["savefile"] = ["default_directory": folder]
        if let scheme, let origin {
            var schemes = JSONObject()
            schemes[scheme] = true
            var origins = JSONObject()
            origins[origin.description] = .object(schemes)
            members["protocol_handler"] = ["allowed_origin_protocol_pairs": .object(origins)]
        }
        value = .object(members)
    }

    func write(to profile: TemporaryProfile) throws {
        let folder = "\(profile.path)/Default"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data(value.serialized()).write(to: URL(filePath: "\(folder)/Preferences"))
    }
}
