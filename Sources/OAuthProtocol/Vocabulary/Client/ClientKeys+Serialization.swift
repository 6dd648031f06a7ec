public import AuthHubPrimitives
import JOSE
import Platform

extension ClientKeys {
    private static let format: Int64 = 1

    /// Serializes the keys as JSON. The result contains the private keys, so store it encrypted.
    public func serialized() -> Secret<[UInt8]> {
        var members = JSONObject()
        members["format"] = .number(JSONNumber(Self.format))
        members["signing"] = .array(signing.map { $0.record($0.key.privateMembers) })
        members["decryption"] = .array(decryption.map { $0.record($0.key.privateMembers) })
        return Secret(JSONValue.object(members).serialized())
    }

    /// Creates keys from the output of ``serialized()``.
    ///
    /// - Throws: ``OAuthError`` with `.invalidResponse` if the bytes are anything else. The error contains none of them.
    public init(serialized: Secret<[UInt8]>) throws(OAuthError) {
        let members = try JSONObject(serialized.reveal(), of: "the stored client keys")
        guard members["format"]?.number?.int64 == Self.format, let signing = members["signing"]?.array,
            let decryption = members["decryption"]?.array
        else { throw OAuthError(.invalidResponse, "the stored client keys are damaged or were written by a newer version of the program") }
        do throws(JOSEError) {
            self.init()
            for record in signing {
                self.signing.append(try Scheduled(record) { members throws(JOSEError) in try SoftwareSigningKey(members) })
            }
            for record in decryption {
                self.decryption.append(try Scheduled(record) { members throws(JOSEError) in try DecryptionKey(members) })
            }
        } catch {
            throw OAuthError(.invalidResponse, "the stored client keys are damaged: \(error.explanation)", underlying: error)
        }
    }
}

extension ClientKeys.Scheduled {
    fileprivate func record(_ privateMembers: Secret<JSONObject>) -> JSONValue {
        var record = JSONObject()
        record["key"] = .object(privateMembers.reveal())
        record["from"] = begin.map(Self.seconds)
        record["until"] = end.map(Self.seconds)
        return .object(record)
    }

    fileprivate init(_ record: JSONValue, _ parse: (Secret<JSONObject>) throws(JOSEError) -> Key) throws(JOSEError) {
        guard let members = record["key"]?.object else { throw JOSEError(.malformed, "a key is not an object") }
        self.init(key: try parse(Secret(members)), begin: try Self.date("from", in: record), end: try Self.date("until", in: record))
    }

    private static func seconds(_ date: Date) -> JSONValue {
        .number(JSONNumber(Int64(date.timeIntervalSince1970.rounded(.up))))
    }

    private static func date(_ name: String, in record: JSONValue) throws(JOSEError) -> Date? {
        guard let value = record[name] else { return nil }
        guard let seconds = value.number?.int64 else { throw JOSEError(.malformed, "a time is not a number of seconds") }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
