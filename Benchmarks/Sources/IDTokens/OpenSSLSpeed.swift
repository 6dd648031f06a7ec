import JOSE
import Platform

/// The speed of bare signature verification, as `openssl speed` measures it.
enum OpenSSLSpeed {
    /// Returns how many signatures OpenSSL verifies in one second of processor time; nil if `openssl` is not installed.
    static func verificationsPerSecond(_ algorithm: SignatureAlgorithm) -> Double? {
        let name =
            switch algorithm {
            case .rs256, .ps256: "rsa2048"
            case .es256: "ecdsap256"
            default: "ed25519"
            }
        guard let pipe = popen("openssl speed -mr -seconds 1 \(name) 2>/dev/null", "r") else { return nil }
        defer { pclose(pipe) }
        var (speed, line) = (Double?.none, [CChar](repeating: 0, count: 512))
        while fgets(&line, Int32(line.count), pipe) != nil {
            let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            // The last field of "+F2:…:…:signatures per second:verifications per second".
            if text.hasPrefix("+F"), let field = text.split(separator: ":").last { speed = Double(field) }
        }
        return speed
    }
}
