import CredentialStorage

#if canImport(Darwin)
/// A placeholder for systems without a Secret Service, where a session never exists.
enum ServiceSession: Sendable {
    func path(of wanted: SecretServiceCollection) throws(CredentialStoreError) -> String? { switch self {} }
    func isLocked(_ collection: String) throws(CredentialStoreError) -> Bool { switch self {} }
    func openCollection(_ wanted: SecretServiceCollection) throws(CredentialStoreError) -> String { switch self {} }
    func prepareCollection(
        _ wanted: SecretServiceCollection, _ prompting: SecretServicePrompting
    ) throws(CredentialStoreError) { switch self {} }
    func items(_ attributes: [(String, String)], in collection: String) throws(CredentialStoreError) -> [String] { switch self {} }
    func attributes(of item: String) throws(CredentialStoreError) -> [String: String] { switch self {} }
    func newest(of items: [String]) throws(CredentialStoreError) -> String? { switch self {} }
    func secret(of item: String) throws(CredentialStoreError) -> [UInt8] { switch self {} }
    func setSecret(_ bytes: [UInt8], of item: String) throws(CredentialStoreError) { switch self {} }
    func createItem(
        _ bytes: [UInt8], labelled label: String, _ attributes: [(String, String)], in collection: String
    ) throws(CredentialStoreError) { switch self {} }
    func deleteItem(_ item: String) throws(CredentialStoreError) { switch self {} }
    func program() throws(CredentialStoreError) -> String? { switch self {} }
}
#endif
