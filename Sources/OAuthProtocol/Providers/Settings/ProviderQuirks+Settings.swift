import AuthHubPrimitives

extension ProviderQuirks {
    /// Returns these quirks with the changes that a JSON object specifies.
    ///
    /// The members are those that a provider's settings file has for quirks, such as `requests`, `answers` and `code_challenge`
    /// (``ProviderProfile/init(settings:file:transport:)``). Quirks that the object does not name stay the same.
    ///
    /// - Parameter file: The name of the file in errors.
    /// - Throws: ``SettingsError`` if the bytes are not strict JSON, if a member is unknown, has the wrong type, or describes the provider
    ///   instead of a quirk, and for header fields and parameter names that a settings file must not have.
    package func applying(settings bytes: [UInt8], file: String) throws(SettingsError) -> ProviderQuirks {
        let members = try SettingsError.members(of: bytes, file: file)
        var profile = ProviderProfile(name: "", displayName: "")
        profile.quirks = self
        func failure(_ name: String?, _ problem: String) -> SettingsError { SettingsError(file: file, field: name, problem: problem) }
        try profile.read(members, ProfileField.quirks, failure)
        try profile.checkQuirks(failure)
        return profile.quirks
    }
}
