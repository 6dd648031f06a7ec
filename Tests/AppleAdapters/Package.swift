// swift-tools-version: 6.2

// Compiles and runs the adapters and the app for Apple systems on Linux, over FoundationNetworking as far as possible, and over stubs of
// other frameworks. Scripts/proofs/apple-adapters runs it.
import PackageDescription

let package = Package(
    name: "AppleAdapters",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "AuthHub", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
    ],
    targets: [
        // The original files of URLSessionTransport, and replacements for declarations that Foundation lacks on Linux.
        .target(
            name: "SystemTransportOnLinux",
            dependencies: [
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            packageAccess: false,
            swiftSettings: [.define("URLSESSION_ON_LINUX")]),
        .testTarget(
            name: "SystemTransportTests",
            dependencies: [
                "SystemTransportOnLinux",
                .product(name: "AuthHubTesting", package: "AuthHub"),
                .product(name: "HTTPLoading", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            packageAccess: false),
        // The original files of SystemWebAuthentication, and the declarations that they use.
        .target(
            name: "SystemWebAuthenticationOnLinux",
            dependencies: [
                "AuthenticationServices", "SwiftUI", "UIKit",
                .product(name: "WebAuthentication", package: "AuthHub"),
            ],
            packageAccess: false,
            swiftSettings: [.define("AUTHENTICATION_SERVICES_ON_LINUX")]),
        .testTarget(
            name: "SystemWebAuthenticationTests",
            dependencies: [
                "AppKit", "AuthenticationServices", "SwiftUI", "SystemWebAuthenticationOnLinux", "UIKit",
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "AuthHubTesting", package: "AuthHub"),
            ],
            packageAccess: false),
        // The original files of SystemCredentialStorage, and the declarations that they use.
        .target(
            name: "SystemCredentialStorageOnLinux",
            dependencies: [
                "Security",
                .product(name: "CredentialStorage", package: "AuthHub"),
            ],
            packageAccess: false,
            swiftSettings: [.define("SECURITY_ON_LINUX")]),
        .testTarget(
            name: "SystemCredentialStorageTests",
            dependencies: [
                "Security", "SystemCredentialStorageOnLinux",
                .product(name: "AuthHubTesting", package: "AuthHub"),
                .product(name: "CredentialStorage", package: "AuthHub"),
            ],
            packageAccess: false),
        // The original files of the app (Apps/Apple), and the declarations that they use. Their modules are those above, under the names
        // that they have on Apple's systems.
        .target(
            name: "AuthHubViews",
            dependencies: [
                "CoreGraphics", "ImageIO", "SwiftUI",
                .product(name: "AniListAPI", package: "AuthHub"),
                .product(name: "AuthHubApp", package: "AuthHub"),
                .product(name: "GitHubAPI", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "AuthHubAppleApp",
            dependencies: [
                "AuthHubViews", "SwiftUI", "SystemCredentialStorageOnLinux", "SystemTransportOnLinux", "SystemWebAuthenticationOnLinux",
                "UIKit",
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "AuthHubApp", package: "AuthHub"),
            ],
            swiftSettings: [
                .unsafeFlags([
                    "-module-alias", "SystemCredentialStorage=SystemCredentialStorageOnLinux",
                    "-module-alias", "SystemWebAuthentication=SystemWebAuthenticationOnLinux",
                    "-module-alias", "URLSessionTransport=SystemTransportOnLinux",
                ])
            ]),
        // The app's only file for macOS.
        .target(name: "AuthHubAppleAppOnMacOS", dependencies: ["AppKit"], swiftSettings: [.define("APPKIT_ON_LINUX")]),
        .testTarget(
            name: "AuthHubAppleAppTests",
            dependencies: [
                "AuthHubAppleApp", "AuthHubViews", "AuthenticationServices", "SwiftUI", "UIKit",
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "AuthHubApp", package: "AuthHub"),
                .product(name: "AuthHubTesting", package: "AuthHub"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        // Compiled like Apple's frameworks, without the checks of language mode 6. A closure that hides its actor from these checks is
        // then found at run time.
        .target(
            name: "AuthenticationServices", dependencies: ["UIKit"], path: "StandIns/AuthenticationServices",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "AppKit", dependencies: ["UserActivity"], path: "StandIns/AppKit", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "CoreGraphics", path: "StandIns/CoreGraphics", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "ImageIO", dependencies: ["CoreGraphics"], path: "StandIns/ImageIO", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "Security", path: "StandIns/Security", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "SwiftUI", dependencies: ["AuthenticationServices", "CoreGraphics"], path: "StandIns/SwiftUI",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "UIKit", dependencies: ["UserActivity"], path: "StandIns/UIKit", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "UserActivity", path: "StandIns/UserActivity", swiftSettings: [.swiftLanguageMode(.v5)]),
    ],
    swiftLanguageModes: [.v6])

// On Apple systems, the adapters are modules of AuthHub's package: they and their tests use its `package` declarations. SwiftPM names a package
// by its folder.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map { $0.lowercased() } ?? ""
let packageName = String(folder.map { $0.isLetter || $0.isNumber ? $0 : "_" })
for target in package.targets where target.name.hasSuffix("OnLinux") || target.name.hasPrefix("System") {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-package-name", packageName])]
}

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? [])
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) }
        + [.treatAllWarnings(as: .error)]
}
