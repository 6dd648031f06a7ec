/// Error correction codewords, by polynomials over the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004 §7.5.2).
struct ReedSolomon: Sendable {
    /// The coefficients of the generator polynomial, without the leading one, the highest power first.
    private let factors: [UInt8]

    init(degree: Int) {
        var factors = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in factors.indices {
                factors[index] = Self.product(factors[index], root)
                if index + 1 < degree { factors[index] ^= factors[index + 1] }
            }
            root = Self.product(root, 2)
        }
        self.factors = factors
    }

    func remainder(of data: some Sequence<UInt8>) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: factors.count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in factors.indices { remainder[index] ^= Self.product(factors[index], factor) }
        }
        return remainder
    }

    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result = 0
        for place in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) * 0x11D
            result ^= Int(right >> UInt8(place) & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: result)
    }
}
