import CredentialStorage

extension SessionEngine {
    /// A sign-in without a person that has failed is not repeated at once by the next request, as a refresh is not: a wrong secret or a server
    /// that is down would be asked as often as requests come. The program's own ``OAuthSession/signIn()`` is.
    func heldBack(
        unless isExplicit: Bool, _ signIn: () async -> Result<(Credential, CredentialVersion), SessionError>
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        guard !configuration.grant.needsPerson else { return await signIn() }
        if !isExplicit, let error = signInBackOff.problem(at: configuration.now()) { return .failure(error) }
        let result = await signIn()
        switch result {
        case .success: signInBackOff = RefreshBackOff()
        case .failure(let error) where error.isCancelledByProgram: break
        case .failure(let error): signInBackOff.failed(error, at: configuration.now())
        }
        return result
    }
}
