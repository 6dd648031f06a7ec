extension StoreKeySearch {
    /// The standard order: Secret Service, systemd's credentials directory, `AUTHHUB_KEY_FILE`, a passphrase, and finally the store's own
    /// key file, which can always be created.
    ///
    /// - Parameters:
    ///   - secretService: The desktop's Secret Service; nil to skip it.
    ///   - passphrase: A passphrase, and whether the user could be asked for one; nil to skip it.
    ///   - ownKeyFile: The file next to the records.
    ///   - environment: Returns the value of a variable.
    package static func standard(
        secretService: Candidate?,
        passphrase: Candidate?,
        ownKeyFile: KeyFile,
        environment: (String) -> String?
    ) -> Self {
        let directory = CredentialsDirectoryKey(environment: environment)
        let file = EnvironmentKeyFile(environment: environment)
        let candidates: [Candidate?] = [
            secretService,
            .given(.credentialsDirectory, directory, isConfigured: directory.path != nil),
            .given(.keyFile, file, isConfigured: file.path != nil),
            passphrase,
            .ownKeyFile(ownKeyFile),
        ]
        return Self(candidates.compactMap(\.self))
    }
}

extension StoreKeySearch.Candidate {
    /// Creates a candidate for the desktop's Secret Service.
    ///
    /// - Parameters:
    ///   - look: Checks whether there is a service that has, or could have, the key. Does not ask the user, and takes a limited time.
    package static func secretService(
        look: @escaping @Sendable () throws(CredentialStoreError) -> StoreKeySearch.Standing,
        make: @escaping @Sendable () throws(CredentialStoreError) -> any StoreKeySource
    ) -> Self {
        Self(.secretService, look: look, make: make)
    }

    /// Creates a candidate for a passphrase.
    ///
    /// - Parameters:
    ///   - wrapped: Wraps the source, such as with a ``KernelKeyringCache``.
    ///   - canAsk: Throws `.locked` if there is no one to ask, and `.dismissed` if the user has declined; then the search continues. Asks
    ///     no one.
    package static func passphrase(
        _ key: PassphraseKey,
        wrapped: @escaping @Sendable (PassphraseKey) -> any StoreKeySource = { $0 },
        canAsk: @escaping @Sendable () throws(CredentialStoreError) -> Void
    ) -> Self {
        Self(.passphrase, passedOver: [.unavailable, .locked, .dismissed]) { () throws(CredentialStoreError) in
            if try key.isChosen() { return .holdsTheStoresKey }
            try canAsk()
            return .ready
        } make: {
            wrapped(key)
        }
    }

    /// Creates a candidate for a key that is provided from outside and never created here.
    static func given(_ choice: StoreKeyChoice, _ source: any StoreKeySource, isConfigured: Bool) -> Self {
        // A configured key that is missing is an error; without configuration, none was intended. A unit may have other credentials.
        let passedOver: Set<CredentialStoreError.Code> = isConfigured && choice != .credentialsDirectory ? [] : [.unavailable]
        return Self(choice, passedOver: passedOver) { () throws(CredentialStoreError) in
            _ = try source.key(creatingIfMissing: false)
            return .ready
        } make: { () throws(CredentialStoreError) in
            _ = try source.key(creatingIfMissing: false)
            return source
        }
    }

    static func ownKeyFile(_ file: KeyFile) -> Self {
        Self(.ownKeyFile) { () throws(CredentialStoreError) in
            try FileStatus.of(file.path) == nil ? .ready : .holdsTheStoresKey
        } make: {
            file
        }
    }
}
