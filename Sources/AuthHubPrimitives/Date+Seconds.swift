#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Date {
    /// Whole seconds since 1970, kept to the years from then to 9999, which ``HTTPDate`` can read.
    package var secondsSince1970: Int64 { Int64(min(max(timeIntervalSince1970, 0), 253_402_300_799)) }
}
