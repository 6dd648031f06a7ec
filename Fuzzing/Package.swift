// swift-tools-version: 6.2

import PackageDescription

// Coverage is counted in the library alone, whose sources are compiled a second time for it, through links. Under names of their own: all
// else is shared with what is built for the tests, in the same scratch folder, and there these modules must not stand in for the plain ones.
let instrumented: [SwiftSetting] = [
    .unsafeFlags(["-sanitize=fuzzer", "-parse-as-library", "-O"])
]
let aliases: [SwiftSetting] = [
    .unsafeFlags([
        "-module-alias", "AuthHubPrimitives=InstrumentedPrimitives", "-module-alias", "JOSE=InstrumentedJOSE",
        "-module-alias", "OAuthProtocol=InstrumentedProtocol", "-module-alias", "Platform=InstrumentedPlatform",
    ])
]

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [
        // For its dependencies alone: they are checked out for the tests.
        .package(name: "AuthHub", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    ],
    targets: [
        .target(name: "InstrumentedPlatform", path: "Sources/Instrumented/Platform", swiftSettings: instrumented),
        .target(
            name: "InstrumentedPrimitives", dependencies: ["InstrumentedPlatform"], path: "Sources/Instrumented/AuthHubPrimitives",
            swiftSettings: instrumented + aliases),
        .target(
            name: "InstrumentedJOSE",
            dependencies: [
                "InstrumentedPlatform", "InstrumentedPrimitives",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Sources/Instrumented/JOSE",
            swiftSettings: instrumented + aliases),
        .target(
            name: "InstrumentedProtocol",
            dependencies: [
                "InstrumentedPlatform", "InstrumentedPrimitives", "InstrumentedJOSE",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Sources/Instrumented/OAuthProtocol",
            swiftSettings: instrumented + aliases),
        .target(name: "LibFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "InstrumentedPrimitives", "InstrumentedJOSE", "InstrumentedProtocol", "LibFuzzer",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: aliases + [.unsafeFlags(["-O"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ],
    swiftLanguageModes: [.v6])

for target in package.targets where target.name != "LibFuzzer" {
    target.swiftSettings =
        (target.swiftSettings ?? [])
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) }
        + [.treatAllWarnings(as: .error)]
}
