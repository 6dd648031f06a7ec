/// The places in a write or deletion where a process may die: tests look at the folder there, or fail there.
package enum StorageStep: String, Sendable, CaseIterable, Codable {
    case locked
    case compared
    case temporaryCreated
    case temporaryWritten
    case temporarySynchronized
    case renamed
    case removed
    case folderSynchronized
    /// Of a change of the key: it is announced, no writer is left who does not know of it, all records have the new key, it is over.
    case keyChangeAnnounced
    case recordsResealed
    case keyChangeEnded
}

package typealias StorageStepHook = @Sendable (StorageStep) throws(CredentialStoreError) -> Void
