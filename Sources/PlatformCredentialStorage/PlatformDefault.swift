public import CredentialStorage

extension CredentialStore where Self == PlatformCredentialStore {
    /// The person's store for one service: the keyring of the desktop, or encrypted files where there is none.
    ///
    /// Which of them it is, the first write decides and records in the service's data folder: `$XDG_DATA_HOME/SERVICE`, or
    /// `~/.local/share/SERVICE`. Touches nothing yet.
    ///
    /// - Parameter service: A name of the program's own, such as its bundle identifier. It becomes the name of a folder.
    /// - Throws: ``CredentialStoreError`` with `.refused` for a name that cannot be one; with `.unavailable` where no home folder is known.
    public static func platformDefault(service: String) throws(CredentialStoreError) -> PlatformCredentialStore {
        let folder = try DataFolder.path(of: service)
        return PlatformCredentialStore(
            folder: folder,
            candidates: StoreCandidate.ofThisSystem(
                service: service, folder: folder, asking: .byDesktop(processEnvironment), environment: processEnvironment))
    }
}
