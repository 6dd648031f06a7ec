import CredentialStorage

#if !canImport(Darwin)
extension ServiceSession {
    private static let service = "org.freedesktop.Secret.Service"
    private static let collection = "org.freedesktop.Secret.Collection"

    /// Returns the path of the keyring; nil if there is none.
    func path(of wanted: SecretServiceCollection) throws(CredentialStoreError) -> String? {
        if wanted == .session { return "/org/freedesktop/secrets/collection/session" }
        let path = try call("ReadAlias", of: Self.service, at: Self.servicePath, [library.text("default")], reply: "(o)").first?.text
        return path == ServicePrompt.none ? nil : path
    }

    /// Returns whether the keyring is locked. Check this first: a search of a locked keyring silently finds nothing, or not everything.
    func isLocked(_ collection: String) throws(CredentialStoreError) -> Bool {
        guard let isLocked = try property("Locked", of: Self.collection, at: collection)?.boolean else {
            throw ServiceFailure(.other, "the service does not report whether the keyring is locked").storeError
        }
        return isLocked
    }

    /// Returns the unlocked keyring, without asking the user.
    func openCollection(_ wanted: SecretServiceCollection) throws(CredentialStoreError) -> String {
        guard let path = try path(of: wanted) else { throw ServiceFailure(.noCollection).storeError }
        guard try !isLocked(path) else { throw ServiceFailure(.locked).storeError }
        return path
    }

    /// Asks the user to unlock or create the keyring, if that is necessary and they may be asked.
    func prepareCollection(_ wanted: SecretServiceCollection, _ prompting: SecretServicePrompting) throws(CredentialStoreError) {
        guard let path = try path(of: wanted) else {
            guard let timeout = prompting.timeout, prompting.makesCollection else { throw ServiceFailure(.noCollection).storeError }
            return try makeCollection(waitingAtMost: timeout)
        }
        guard try isLocked(path) else { return }
        guard let timeout = prompting.timeout else { throw ServiceFailure(.locked).storeError }
        let reply = try call(
            "Unlock", of: Self.service, at: Self.servicePath, [library.array(of: "o", [library.path(path)])], reply: "(aoo)")
        try finish(reply, waitingAtMost: timeout)
        guard try !isLocked(path) else { throw ServiceFailure(.locked).storeError }
    }

    private func makeCollection(waitingAtMost timeout: Duration) throws(CredentialStoreError) {
        let label = library.entry(library.text("\(Self.collection).Label"), library.boxed(library.text("Default keyring")))
        let reply = try call(
            "CreateCollection", of: Self.service, at: Self.servicePath, [library.array(of: "{sv}", [label]), library.text("default")],
            reply: "(oo)")
        try finish(reply, waitingAtMost: timeout)
        guard try path(of: .default) != nil else {
            throw ServiceFailure(.noCollection, "no keyring was created, although no prompt was dismissed").storeError
        }
    }

    /// Shows the prompt that a reply requests, if any.
    private func finish(_ reply: [Variant], waitingAtMost timeout: Duration) throws(CredentialStoreError) {
        guard let path = reply.last?.text, path != ServicePrompt.none else { return }
        try ServicePrompt(path: path, session: self).perform(waitingAtMost: timeout)
    }
}
#endif
