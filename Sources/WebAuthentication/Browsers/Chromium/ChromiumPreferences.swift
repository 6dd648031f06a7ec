#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import AuthHubPrimitives

/// What a fresh profile says before Chromium sees it for the first time.
struct ChromiumPreferences: Sendable {
    let value: JSONValue

    /// URLs of the scheme are handed over without asking the person, where a page of this origin leads there. A redirect counts as the
    /// page of the server that sent it; for other origins Chromium asks.
    init(allowing scheme: String, for origin: Origin) {
        var schemes = JSONObject()
        schemes[scheme] = true
        var origins = JSONObject()
        origins[origin.description] = .object(schemes)
        value = ["protocol_handler": ["allowed_origin_protocol_pairs": .object(origins)]]
    }

    func write(to profile: TemporaryProfile) throws {
        let folder = "\(profile.path)/Default"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data(value.serialized()).write(to: URL(filePath: "\(folder)/Preferences"))
    }
}
