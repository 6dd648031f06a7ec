import Platform

/// Changes one byte near the end of a file.
func damage(_ file: String) throws {
    let url = URL(filePath: file)
    var bytes = try Data(contentsOf: url)
    bytes[bytes.count - 5] ^= 1
    try bytes.write(to: url)
}
