/// Returns bytes from a random number generator. With the system's generator (the default), they are suitable for secrets.
package func randomBytes(
    count: Int,
    using generator: inout some RandomNumberGenerator
) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}

/// Returns bytes from the operating system's random number generator, which are suitable for secrets.
package func randomBytes(count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    // Eight bytes at a time, because each number is a system call.
    let numbers = (0..<(count + 7) / 8).map { _ in generator.next() }
    return numbers.withUnsafeBytes { Array($0.prefix(count)) }
}
