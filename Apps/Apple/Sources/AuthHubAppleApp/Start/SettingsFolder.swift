#if canImport(SwiftUI)
/// Where the app's settings files are.
enum SettingsFolder {
    /// Names another folder, in debug builds alone: so that a client secret for development need not lie in the bundle.
    static let variable = "AUTHHUB_APP_SETTINGS"

    /// - Parameter resources: The folder of the bundle's resources.
    static func path(environment: [String: String], resources: String?) -> String {
        #if DEBUG
        if let folder = environment[variable], !folder.isEmpty { return folder }
        #endif
        return "\(resources ?? ".")/Settings"
    }
}
#endif
