@testable import WebAuthentication

extension ScriptFolder {
    /// The profiles of browsers that are running, or that have left a profile behind.
    var profiles: [String] {
        get throws { try names.filter { $0.hasPrefix("authhub-browser-") } }
    }

    /// The processes of the browsers that are running.
    var browsers: [Int32] {
        get throws { try profiles.compactMap { ProcessIdentity(try read("\($0)/\(TemporaryProfile.browserFile)"))?.processID } }
    }
}
