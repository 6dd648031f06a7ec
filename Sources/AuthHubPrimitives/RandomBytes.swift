/// Bytes from a generator of random numbers; with the system's generator (the default) they are fit for secrets.
public func randomBytes(
    count: Int,
    using generator: inout some RandomNumberGenerator
) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}

/// Bytes fit for secrets, from the operating system's generator.
public func randomBytes(count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    // Eight at a time: each number asked for is a call of the system.
    let numbers = (0..<(count + 7) / 8).map { _ in generator.next() }
    return numbers.withUnsafeBytes { Array($0.prefix(count)) }
}
