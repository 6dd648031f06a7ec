import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport

extension TemporaryFolder {
    var newKeyPath: String { "\(path)/service/new.key" }
    var keyChangePath: String { "\(storePath)/key-change" }

    /// Returns a store that has the new key.
    func storeWithNewKey() -> EncryptedFileStore {
        EncryptedFileStore(folder: storePath, key: KeyFile(path: newKeyPath))
    }

    /// Returns the identifiers of the keys that the records name.
    func keysOfRecords() throws -> Set<[UInt8]> {
        Set(try names(in: storePath).filter { $0.hasSuffix(".credential") }.map { Array(try contents(of: "\(storePath)/\($0)")[5..<13]) })
    }

    /// Returns the identifier of the key that the folder's records should use, and whether the sealed keys are stored next to it.
    func keyChange() throws -> (target: [UInt8], isUnderWay: Bool) {
        let bytes = try contents(of: keyChangePath)
        return (Array(bytes[5..<13]), bytes.count > 14 + 8 * Int(bytes[13]))
    }
}
