#if canImport(Darwin) || SECURITY_ON_LINUX
import CredentialStorage

extension CredentialStoreError {
    /// Creates an error from a status of the Security framework.
    ///
    /// - Parameters:
    ///   - work: The operation that failed, as a verb.
    ///   - words: The system's description of the status.
    init(keychainStatus status: Int32, to work: String, words: String?) {
        let (code, advice) = Self.meaning(of: status)
        let named = words.map { "\(status): \($0)" } ?? "\(status)"
        self.init(code, "the keychain could not \(work) the item (\(named)); \(advice)")
    }

    /// Returns the code and the advice for a status. The numbers are defined in `SecBase.h`.
    private static func meaning(of status: Int32) -> (Code, advice: String) {
        switch status {
        case -25308, -25315, -25316, -25320:  // InteractionNotAllowed, InteractionRequired, DataNotAvailable, InDarkWake
            (.locked, "it is locked until the device is first unlocked after a restart; try again then")
        case -128:  // UserCanceled
            (.dismissed, "the user declined; ask again when they want to continue")
        case -25293:  // AuthFailed
            (.refused, "authentication failed; unlock the keychain and try again")
        case -34018:  // MissingEntitlement
            (
                .refused,
                "the program lacks the entitlement; sign it and add the Keychain Sharing capability with the store's access group"
            )
        case -25243, -25244, -25292, -34020, -61, -49:  // NoAccessForItem, InvalidOwnerEdit, ReadOnly, RestrictedAPI, WrPerm, OpWr
            (.refused, "the system does not allow this program to do that; check its entitlements")
        case -25291, -25294, -25295, -25307, -67585, -4:
            // NotAvailable, NoSuchKeychain, InvalidKeychain, NoDefaultKeychain, ServiceNotAvailable, Unimplemented
            (.unavailable, "no keychain is available to this program; run it in a user's login session")
        case -34:  // DiskFull
            (.full, "free some space and try again")
        case -25302:  // DataTooLarge
            (.tooLarge, "store less")
        case -26275:  // Decode
            (.corrupt, "it is damaged or belongs to another device; sign in again to replace it")
        case -50:  // Param
            (.failed, "the system rejected the parameters; check the service and the access group")
        default:
            (.failed, "try again")
        }
    }
}
#endif
