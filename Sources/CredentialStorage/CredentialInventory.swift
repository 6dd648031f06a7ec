/// A store that can list its records although some of them do not open.
///
/// Who a record belongs to may be known only when it opens; those that do not are counted, and can be removed together.
public protocol CredentialInventory: CredentialStore {
    /// The accounts of all records that open, and for each of the others the reason.
    func inventory() throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError])

    /// Removes the records that are damaged or were sealed with another key (`.corrupt`), and none that may open again, such as those of a
    /// newer program or with a wrong mode.
    ///
    /// - Returns: How many there were.
    @discardableResult
    func removeCorrupt() async throws(CredentialStoreError) -> Int
}
