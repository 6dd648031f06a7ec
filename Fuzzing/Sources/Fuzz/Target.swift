/// Something of the library that takes what strangers send, and what has to be true of it for every input.
protocol Target: SendableMetatype {
    /// As the folder of its seeds is called.
    static var name: String { get }

    /// - Throws: where something is not as it has to be. A trap counts as much.
    static func check(_ input: [UInt8]) throws(Violation)
}

/// What was not as it has to be.
struct Violation: Error {
    let sentence: String
}

/// - Parameter sentence: What has to be true.
func require(_ condition: Bool, _ sentence: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(sentence: sentence()) }
}

/// What a piece of work came to, whether or not it failed: for looking at it twice.
func outcome<Success, Failure: Error>(_ work: () throws(Failure) -> Success) -> Result<Success, Failure> {
    do throws(Failure) {
        return .success(try work())
    } catch {
        return .failure(error)
    }
}
