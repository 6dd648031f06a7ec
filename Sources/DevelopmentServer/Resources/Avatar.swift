import AuthHubPrimitives

/// Generated pictures of users, like GitHub's for users without one.
enum Avatar {
    /// Returns the picture of a user, by ID; some users have the same one.
    static func png(of person: Int64) -> [UInt8] {
        pictures[Int(person.magnitude % UInt64(pictures.count))]
    }

    private static let pictures = [
        """
        iVBORw0KGgoAAAANSUhEUgAAAGAAAABgAQMAAADYVuV7AAAABlBMVEXw8PCbm5dzP-QLAAAAIElEQVR42mNgoBf4_x-JHuUMQg4MDB8OjBzlDD\
        4OfQAAtyMd_9NdOvYAAAAASUVORK5CYII
        """,
        """
        iVBORw0KGgoAAAANSUhEUgAAAGAAAABgAQMAAADYVuV7AAAABlBMVEXw8PCEUH_immSJAAAAJUlEQVR42mNgoB_4_x-CRzmDkfMfDoYLB8l7w4\
        QDi7LhwKEPAAAZGr5Qa7FFvwAAAABJRU5ErkJggg
        """,
        """
        iVBORw0KGgoAAAANSUhEUgAAAGAAAABgAQMAAADYVuV7AAAABlBMVEXw8PCYyZf59GWEAAAAIElEQVR42mNgoBf4DwfDgzMKBjeARRI05oYBZz\
        T_kA4AxHB-kIPwA1wAAAAASUVORK5CYII
        """,
    ].map { Base64URL.decode($0) ?? [] }
}
