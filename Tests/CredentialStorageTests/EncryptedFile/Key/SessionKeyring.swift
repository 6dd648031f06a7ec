#if os(Linux)
import CLinux

/// Gives this process a separate session keyring without a link to the user's, as services and remote logins often have.
func joinNewSessionKeyring() {
    let join: Int32 = 1
    _ = kernel_keyring_control(join, 0, 0, 0, 0)
}
#endif
