import AuthHubPrimitives

/// Why the place of a built-in provider cannot be used, in the same words for a settings file and a command line.
package struct PlaceError: Error {
    package enum Part: Sendable { case place, api }

    package let part: Part
    /// What is wrong, to follow the name of the member or option: `cannot be used: …` or `must be …`.
    package let problem: String
    /// Whether the place would be allowed for development.
    package let isForDevelopment: Bool
}

extension BuiltInProvider {
    package static let describedHasNoPlace = "the provider's description already sets its URL"
    package static let issuerHasNoPlace = "the issuer's URL already says where the provider is"

    /// Creates the profile as ``profile(at:api:transport:)`` does.
    ///
    /// - Throws: ``PlaceError`` that says which part of the place is wrong.
    package func checkedProfile(
        at place: String?, api: String?, transport: TransportPolicy
    ) throws(PlaceError) -> ProviderProfile {
        func attempt(_ part: PlaceError.Part, _ url: String?, api: String?) throws(PlaceError) -> ProviderProfile {
            do throws(OAuthError) {
                return try self.profile(at: place, api: api, transport: transport)
            } catch {
                let problem = url == nil ? "is missing: \(error.explanation)" : "cannot be used: \(error.explanation)"
                throw PlaceError(
                    part: part, problem: error.explanation == "the URL \(Self.unusableURL)" ? Self.unusableURL : problem,
                    isForDevelopment: transport == .httpsOnly && url.flatMap { Origin(url: $0) }?.isLoopback ?? false)
            }
        }
        let usual = try attempt(.place, place, api: nil)
        return api == nil ? usual : try attempt(.api, api, api: api)
    }
}
