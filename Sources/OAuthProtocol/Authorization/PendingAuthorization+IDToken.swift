extension PendingAuthorization {
    /// What the ID token of this sign-in has to say; nil if none is expected.
    func idToken(at server: ProviderProfile) -> IDTokenExpectation? {
        IDTokenExpectation(
            scope: scope, nonce: nonce, maximumAge: maximumAge, acrValues: acrValues, clientID: clientID, at: server)
    }
}
