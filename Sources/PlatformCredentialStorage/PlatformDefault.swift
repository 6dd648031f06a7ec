public import CredentialStorage

extension CredentialStore where Self == PlatformCredentialStore {
    /// Returns the current user's store for one service: the desktop's keyring, or encrypted files if there is no keyring.
    ///
    /// The first write chooses between the two and records the choice in the service's data folder: `$XDG_DATA_HOME/SERVICE`, or
    /// `~/.local/share/SERVICE`. This function does not access the keyring or the folder.
    ///
    /// - Parameter service: A name for the program's data, such as its bundle identifier. The data folder gets the same name.
    /// - Throws: ``CredentialStoreError`` with `.refused` if the name is not valid, or with `.unavailable` if the user's home folder is
    ///   unknown.
    public static func platformDefault(service: String) throws(CredentialStoreError) -> PlatformCredentialStore {
        let folder = try DataFolder.path(of: service)
        return PlatformCredentialStore(
            folder: folder,
            candidates: StoreCandidate.ofThisSystem(
                service: service, folder: folder, asking: .byDesktop(processEnvironment), environment: processEnvironment))
    }
}
