/// A part of the library that parses untrusted input, with the conditions that must hold for every input.
protocol Target: SendableMetatype {
    /// The name of the target and of the folder with its seeds.
    static var name: String { get }

    /// Checks one input.
    ///
    /// - Throws: ``Violation`` if a condition does not hold. A trap is a failure, too.
    static func check(_ input: [UInt8]) throws(Violation)
}

/// A condition that does not hold.
struct Violation: Error {
    let sentence: String
}

/// Throws if a condition does not hold.
///
/// - Parameter sentence: The condition in words.
func require(_ condition: Bool, _ sentence: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(sentence: sentence()) }
}

/// Returns the result of an operation, whether or not it failed, so that it can be inspected twice.
func outcome<Success, Failure: Error>(_ work: () throws(Failure) -> Success) -> Result<Success, Failure> {
    do throws(Failure) {
        return .success(try work())
    } catch {
        return .failure(error)
    }
}
