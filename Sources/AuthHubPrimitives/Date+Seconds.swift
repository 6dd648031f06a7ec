package import Platform

extension Date {
    /// The whole seconds since 1970, clamped to the years 1970 to 9999, which ``HTTPDate`` can read.
    package var secondsSince1970: Int64 { Int64(min(max(timeIntervalSince1970, 0), 253_402_300_799)) }
}
