extension CredentialStore where Self == PlatformCredentialStore {
    /// Returns the user's store for one service: the desktop's keyring, or encrypted files if there is none.
    ///
    /// The first write decides which of them it is, and records the decision in the service's data folder: `$XDG_DATA_HOME/SERVICE`, or
    /// `~/.local/share/SERVICE`. Until then, nothing is accessed.
    ///
    /// - Parameter service: A unique name of the program, such as its bundle identifier. It becomes the name of a folder.
    /// - Throws: ``CredentialStoreError`` with `.refused` if the name cannot be a folder's name; with `.unavailable` if the home folder is
    ///   unknown.
    public static func platformDefault(service: String) throws(CredentialStoreError) -> PlatformCredentialStore {
        let folder = try DataFolder.path(of: service)
        return PlatformCredentialStore(
            folder: folder,
            candidates: StoreCandidate.ofThisSystem(
                service: service, folder: folder, asking: .byDesktop(processEnvironment), environment: processEnvironment))
    }
}
