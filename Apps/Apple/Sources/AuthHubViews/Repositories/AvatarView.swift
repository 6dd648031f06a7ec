#if canImport(SwiftUI)
import Foundation
import SwiftUI

/// The person's picture, or a sign for a person where there is none.
struct AvatarView: View {
    /// As the service sent it.
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
