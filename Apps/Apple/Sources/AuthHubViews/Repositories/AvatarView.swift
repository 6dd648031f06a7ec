#if canImport(SwiftUI)
import Foundation
import SwiftUI

/// The user's picture, or a symbol if there is none.
struct AvatarView: View {
    /// The picture as received from the service.
    let picture: [UInt8]?
    let login: String

    var body: some View {
        image
            .resizable()
            .scaledToFill()
            .frame(width: 28, height: 28)
            .clipShape(Circle())
            .accessibilityLabel(Text(verbatim: "Picture of \(login)"))
    }

    private var image: Image {
        guard let drawing = picture.flatMap({ Picture.drawing(of: $0) }) else { return Image(systemName: "person.crop.circle.fill") }
        return Image(decorative: drawing, scale: 1)
    }
}
#endif
