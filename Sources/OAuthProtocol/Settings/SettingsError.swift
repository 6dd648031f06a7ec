import AuthHubPrimitives

/// Why a settings file cannot be used: the file, the field, and what is wrong with it. Holds nothing of a secret.
public struct SettingsError: Error, Hashable {
    /// What the file was called by whoever read it.
    public let file: String
    /// `requests.encoding`; nil where the whole file is meant.
    public let field: String?
    /// What is wrong there, for people.
    public let problem: String

    public init(file: String, field: String? = nil, problem: String) {
        self.file = file
        self.field = field.map { displayable($0, limit: 100) }
        self.problem = displayable(problem, limit: 1000)
    }
}

extension SettingsError: CustomStringConvertible {
    public var description: String {
        field.map { "\(file): “\($0)” \(problem)" } ?? "\(file): \(problem)"
    }
}

extension SettingsError {
    /// Reads the bytes of a file as one JSON object.
    static func members(of bytes: [UInt8], file: String) throws(SettingsError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(strict: bytes)
        } catch {
            throw SettingsError(file: file, problem: "is not one JSON text without repeated members")
        }
        guard let members = value.object else { throw SettingsError(file: file, problem: "is JSON, but not an object") }
        return members
    }
}
