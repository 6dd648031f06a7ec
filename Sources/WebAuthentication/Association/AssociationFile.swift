package import AuthHubPrimitives

/// The file that lets apps receive a host's https callbacks: `apple-app-site-association`.
///
/// Apple's systems fetch it from `https://HOST/.well-known/apple-app-site-association` when the app is installed. The callback of an
/// authentication session needs the service `webcredentials`; `applinks` opens the app from links anywhere else.
package struct AssociationFile: Sendable, Hashable {
    /// The apps that may receive the host's callbacks.
    package var apps: [ApplicationIdentifier]
    /// The paths whose links open the apps; none if empty. `*` matches any characters, `?` a single one.
    package var linkedPaths: [String]

    /// Creates a file for these apps; without linked paths, it has no `applinks`.
    package init(apps: [ApplicationIdentifier], linkedPaths: [String] = []) {
        self.apps = apps
        self.linkedPaths = linkedPaths
    }

    /// The path of the file on its host.
    package static let path = "/.well-known/apple-app-site-association"

    /// The content of the file: `webcredentials`, and `applinks` if there are linked paths.
    package var json: JSONValue {
        let names = JSONValue.array(apps.map { .string($0.description) })
        var members = JSONObject()
        members["webcredentials"] = ["apps": names]
        if !linkedPaths.isEmpty {
            let components = JSONValue.array(linkedPaths.map { ["/": .string($0)] })
            members["applinks"] = ["details": .array([["appIDs": names, "components": components]])]
        }
        return .object(members)
    }
}
