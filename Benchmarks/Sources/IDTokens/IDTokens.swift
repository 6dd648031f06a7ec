import JOSE
import Measuring
import Platform

/// Measures the cost of verifying an ID token with a cached key and checking its claims, on one core, and compares it with the bare
/// signature in `openssl speed`.
///
///     IDTokens [--smoke]
///     IDTokens ALGORITHM NUMBER    verifies an ID token this many times, so that the cost can be counted
@main
struct IDTokens {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, let count = Int(arguments[2]) {
            let token = try await SignedIDToken(SignatureAlgorithm(rawValue: arguments[1]))
            for _ in 0..<count { try token.verify() }
        } else if arguments.count == 1 || arguments.dropFirst() == ["--smoke"] {
            try await measure(isSmoke: arguments.count > 1)
        } else {
            print("usage: IDTokens [--smoke] | ALGORITHM NUMBER")
            exit(64)
        }
    }

    private static func measure(isSmoke: Bool) async throws {
        let (count, rounds) = isSmoke ? (20, 1) : (5_000, 7)
        for algorithm in [SignatureAlgorithm.rs256, .ps256, .es256, .edDSA] {
            let token = try await SignedIDToken(algorithm)
            var (speeds, ratios, withoutHash) = ([Double](), [Double](), [Double]())
            for _ in 0..<rounds {
                // They take turns, so that a busy moment of the machine affects all of them. All count processor time.
                let limit = OpenSSLSpeed.verificationsPerSecond(algorithm)
                let times = try await Comparison(rounds: 2).measure([
                    { for _ in 0..<count { try token.verify() } }, { for _ in 0..<count { try token.verifyWithoutHash() } },
                ])
                let measured = times.map { Double(count) / max($0.processor / .seconds(1), .leastNormalMagnitude) }
                speeds.append(measured[0])
                if let limit {
                    ratios.append(measured[0] / limit)
                    withoutHash.append(measured[1] / limit)
                }
            }
            let speed = "\(algorithm.rawValue), \(token.size) bytes: \(Int(median(speeds))) per second on one core"
            guard !ratios.isEmpty else {
                print("\(speed); openssl is not installed, so there is nothing to compare with")
                continue
            }
            print("\(speed); \(summary(ratios)) of openssl speed; without the access token's hash: \(summary(withoutHash))")
        }
    }

    private static func summary(_ ratios: [Double]) -> String {
        let sorted = ratios.sorted()
        return "\(median(ratios).rounded(2)) (\(sorted[0].rounded(2)) to \(sorted[sorted.count - 1].rounded(2)))"
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
