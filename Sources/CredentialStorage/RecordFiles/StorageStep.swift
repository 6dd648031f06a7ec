/// The points of a write or deletion at which a process may die: tests inspect the folder there, or fail there.
package enum StorageStep: String, Sendable, CaseIterable, Codable {
    case locked
    case compared
    case temporaryCreated
    case temporaryWritten
    case temporarySynchronized
    case renamed
    case removed
    case folderSynchronized
    /// Steps of a key change: it is announced, every writer knows of it, all records have the new key, it is complete.
    case keyChangeAnnounced
    case recordsResealed
    case keyChangeEnded
}

package typealias StorageStepHook = @Sendable (StorageStep) throws(CredentialStoreError) -> Void
