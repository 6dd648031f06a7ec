extension StoreKeySearch {
    /// The order in which AuthHub looks: Secret Service, systemd's credentials directory, `AUTHHUB_KEY_FILE`, a passphrase, and last a key
    /// file of the store's own, which can always be made.
    ///
    /// - Parameters:
    ///   - secretService: The desktop's Secret Service; nil where it is not wanted.
    ///   - passphrase: A passphrase, and whether one could be asked for; nil where it is not wanted.
    ///   - ownKeyFile: The file beside the records.
    ///   - environment: The value of a variable, by its name.
    public static func standard(
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
    /// The desktop's Secret Service.
    ///
    /// - Parameters:
    ///   - look: Whether there is a service that holds, or could hold, the key. Asks no one, and takes a bounded time.
    public static func secretService(
        look: @escaping @Sendable () throws(CredentialStoreError) -> StoreKeySearch.Standing,
        make: @escaping @Sendable () throws(CredentialStoreError) -> any StoreKeySource
    ) -> Self {
        Self(.secretService, look: look, make: make)
    }

    /// A passphrase.
    ///
    /// - Parameters:
    ///   - wrapped: What the source becomes, such as a ``KernelKeyringCache``.
    ///   - canAsk: Fails with `.locked` where there is nobody to ask, and with `.dismissed` where the person has declined: then the search
    ///     goes on. Asks no one.
    public static func passphrase(
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

    /// A key that comes from outside, and is not made.
    static func given(_ choice: StoreKeyChoice, _ source: any StoreKeySource, isConfigured: Bool) -> Self {
        // A key that someone has pointed to and that is not there is a slip; without it, nothing was meant. A unit may have other credentials.
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
