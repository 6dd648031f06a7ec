import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Whether all data got to standard output. Who redirects it to a full disk has to learn that the token is not there.
final class DataLoss: Sendable {
    private let number = Mutex<Int32?>(nil)

    func note(_ number: Int32?) {
        guard let number else { return }
        self.number.withLock { $0 = $0 ?? number }
    }

    /// What the command fails with; nil where nothing was lost.
    var failure: Failure? {
        guard let number = number.withLock({ $0 }) else { return nil }
        return Failure(
            "output_failed", .failed, "standard output cannot be written: \(String(cString: strerror(number)))",
            hint: "free some space or redirect it elsewhere, then run the same command again")
    }
}
