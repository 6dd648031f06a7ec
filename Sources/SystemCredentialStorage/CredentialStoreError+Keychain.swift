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
        self.init(code, "The keychain could not \(work) the item (\(named)). \(advice)")
    }

    /// Returns the code and the advice for a status. The numbers are defined in `SecBase.h`.
    private static func meaning(of status: Int32) -> (Code, advice: String) {
        switch status {
        case -25308, -25315, -25316, -25320:  // InteractionNotAllowed, InteractionRequired, DataNotAvailable, InDarkWake
            (.locked, "It is locked until the device is unlocked for the first time after its start. Try again then.")
        case -128:  // UserCanceled
            (.dismissed, "The person declined. Ask again when they want to go on.")
        case -25293:  // AuthFailed
            (.refused, "The system did not accept who asked for it. Unlock the keychain, and try again.")
        case -34018:  // MissingEntitlement
            (
                .refused,
                "The program is not entitled to it. Sign it, and give it the capability Keychain Sharing with the access group that the store names."
            )
        case -25243, -25244, -25292, -34020, -61, -49:  // NoAccessForItem, InvalidOwnerEdit, ReadOnly, RestrictedAPI, WrPerm, OpWr
            (.refused, "The system does not let this program do that. Look at its entitlements.")
        case -25291, -25294, -25295, -25307, -67585, -4:
            // NotAvailable, NoSuchKeychain, InvalidKeychain, NoDefaultKeychain, ServiceNotAvailable, Unimplemented
            (.unavailable, "There is no keychain for this program here. Run it in a person's session.")
        case -34:  // DiskFull
            (.full, "Free some space, and try again.")
        case -25302:  // DataTooLarge
            (.tooLarge, "Store less.")
        case -26275:  // Decode
            (.corrupt, "It is damaged, or of another device. Sign in again; that replaces it.")
        case -50:  // Param
            (.failed, "The system does not take what was asked for; the service or the access group may be no names.")
        default:
            (.failed, "Try again.")
        }
    }
}
#endif
