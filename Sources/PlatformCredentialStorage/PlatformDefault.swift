public import CredentialStorage

extension CredentialStore where Self == PlatformCredentialStore {
    /// Returns the user's store for one service: the desktop's keyring, or encrypted files if there is none.
    ///
    /// The first write decides and records the choice in the service's data folder: `$XDG_DATA_HOME/SERVICE`, or `~/.local/share/SERVICE`.
    /// This function does not access them yet.
    ///
    /// - Parameter service: A name for the program's data, such as its bundle identifier. It becomes the name of a folder.
    /// - Throws: ``CredentialStoreError`` with `.refused` if the name is not valid; with `.unavailable` if no home folder is known.
    public static func platformDefault(service: String) throws(CredentialStoreError) -> PlatformCredentialStore {
        let folder = try DataFolder.path(of: service)
        return PlatformCredentialStore(
            folder: folder,
            candidates: StoreCandidate.ofThisSystem(
                service: service, folder: folder, asking: .byDesktop(processEnvironment), environment: processEnvironment))
    }
}
