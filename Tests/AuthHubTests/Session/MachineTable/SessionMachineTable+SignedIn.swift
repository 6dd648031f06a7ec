extension SessionMachineTable {
    /// The rows of a session that has a credential.
    static let signedIn = """
        signed in | wanted, page allowed | refreshing | refresh old
        signed in | wanted, no page | refreshing | refresh old
        signed in | wanted, the first was rejected | refreshing | refresh old
        signed in | refresh wanted | refreshing | refresh old
        signed in | sign-in wanted | signing in | sign in
        signed in | step-up wanted | signing in | sign in for write
        signed in | sign-in wanted, the first was rejected | signing in | sign in
        signed in | knowledge wanted | signed in | 9 gets old
        signed in | 1 left | signed in | -
        signed in | 2 left | signed in | -
        signed in | store: credential | signed in | -
        signed in | store: nothing | signed in | -
        signed in | store: failed | signed in | -
        signed in | refresh: succeeded | signed in | -
        signed in | refresh: signed out | signed in | -
        signed in | refresh: failed | signed in | -
        signed in | code received | signed in | -
        signed in | sign-in: done | signed in | discard new
        signed in | sign-in: closed | signed in | -
        signed in | sign-out wanted | deleting | delete what is stored
        signed in | sign-out called | signed in | -
        signed in | sign-out: 3 left | signed in | -
        signed in | deletion: done | signed in | -
        signed in | deletion: failed | signed in | -
        signed in | requests ended | signed in | -
        signed in | revocation ended | signed in | -
        signed in | sign-out page ended | signed in | -
        signed in | hint: the held version | signed in | -
        signed in | hint: another version | signed in, re-reading in the background | re-read the store
        signed in | hint: deleted | signed in, re-reading in the background | re-read the store
        signed in | hint: some were missed | signed in, re-reading in the background | re-read the store
        signed in | re-read: credential | signed in | -
        signed in | re-read: nothing | signed in | -
        signed in | re-read: failed | signed in | -
        signed in, no refresh token | wanted, page allowed | signing in | sign in
        signed in, no refresh token | wanted, no page | signed in, no refresh token | 9 fails: sign_in_needed
        signed in, no refresh token | wanted, the first was rejected | signed in, no refresh token | 9 fails: sign_in_needed
        signed in, no refresh token | refresh wanted | signed in, no refresh token | 9 fails: sign_in_needed
        signed in, no refresh token | sign-in wanted | signing in | sign in
        signed in, no refresh token | step-up wanted | signing in | sign in for write
        signed in, no refresh token | sign-in wanted, the first was rejected | signing in | sign in
        signed in, no refresh token | knowledge wanted | signed in, no refresh token | 9 gets old
        signed in, no refresh token | 1 left | signed in, no refresh token | -
        signed in, no refresh token | 2 left | signed in, no refresh token | -
        signed in, no refresh token | store: credential | signed in, no refresh token | -
        signed in, no refresh token | store: nothing | signed in, no refresh token | -
        signed in, no refresh token | store: failed | signed in, no refresh token | -
        signed in, no refresh token | refresh: succeeded | signed in, no refresh token | -
        signed in, no refresh token | refresh: signed out | signed in, no refresh token | -
        signed in, no refresh token | refresh: failed | signed in, no refresh token | -
        signed in, no refresh token | code received | signed in, no refresh token | -
        signed in, no refresh token | sign-in: done | signed in, no refresh token | discard new
        signed in, no refresh token | sign-in: closed | signed in, no refresh token | -
        signed in, no refresh token | sign-out wanted | deleting | delete what is stored
        signed in, no refresh token | sign-out called | signed in, no refresh token | -
        signed in, no refresh token | sign-out: 3 left | signed in, no refresh token | -
        signed in, no refresh token | deletion: done | signed in, no refresh token | -
        signed in, no refresh token | deletion: failed | signed in, no refresh token | -
        signed in, no refresh token | requests ended | signed in, no refresh token | -
        signed in, no refresh token | revocation ended | signed in, no refresh token | -
        signed in, no refresh token | sign-out page ended | signed in, no refresh token | -
        signed in, no refresh token | hint: the held version | signed in, no refresh token | -
        signed in, no refresh token | hint: another version | signed in, re-reading in the background | re-read the store
        signed in, no refresh token | hint: deleted | signed in, re-reading in the background | re-read the store
        signed in, no refresh token | hint: some were missed | signed in, re-reading in the background | re-read the store
        signed in, no refresh token | re-read: credential | signed in, no refresh token | -
        signed in, no refresh token | re-read: nothing | signed in, no refresh token | -
        signed in, no refresh token | re-read: failed | signed in, no refresh token | -
        refreshing | wanted, page allowed | refreshing | -
        refreshing | wanted, no page | refreshing | -
        refreshing | wanted, the first was rejected | refreshing | -
        refreshing | refresh wanted | refreshing | -
        refreshing | sign-in wanted | refreshing | -
        refreshing | step-up wanted | refreshing | -
        refreshing | sign-in wanted, the first was rejected | refreshing | -
        refreshing | knowledge wanted | refreshing | -
        refreshing | 1 left | refreshing | 1 fails: cancelled_by_program
        refreshing | 2 left | refreshing | -
        refreshing | store: credential | refreshing | -
        refreshing | store: nothing | refreshing | -
        refreshing | store: failed | refreshing | -
        refreshing | refresh: succeeded | signed in | 1 gets new
        refreshing | refresh: signed out | signed out | 1 fails: sign_in_needed
        refreshing | refresh: failed | signed in, after a failed refresh | 1 fails: unreachable
        refreshing | code received | refreshing | -
        refreshing | sign-in: done | refreshing | discard new
        refreshing | sign-in: closed | refreshing | -
        refreshing | sign-out wanted | deleting | 1 fails: cancelled_by_program, delete what is stored
        refreshing | sign-out called | refreshing | -
        refreshing | sign-out: 3 left | refreshing | -
        refreshing | deletion: done | refreshing | -
        refreshing | deletion: failed | refreshing | -
        refreshing | requests ended | refreshing | -
        refreshing | revocation ended | refreshing | -
        refreshing | sign-out page ended | refreshing | -
        refreshing | hint: the held version | refreshing | -
        refreshing | hint: another version | refreshing | -
        refreshing | hint: deleted | refreshing | -
        refreshing | hint: some were missed | refreshing | -
        refreshing | re-read: credential | refreshing | -
        refreshing | re-read: nothing | refreshing | -
        refreshing | re-read: failed | refreshing | -
        signed in, after a failed refresh | wanted, page allowed | signed in, reading the store | read the store
        signed in, after a failed refresh | wanted, no page | signed in, reading the store | read the store
        signed in, after a failed refresh | wanted, the first was rejected | signed in, reading the store | read the store
        signed in, after a failed refresh | refresh wanted | refreshing | refresh old
        signed in, after a failed refresh | sign-in wanted | signing in | sign in
        signed in, after a failed refresh | step-up wanted | signing in | sign in for write
        signed in, after a failed refresh | sign-in wanted, the first was rejected | signing in | sign in
        signed in, after a failed refresh | knowledge wanted | signed in, after a failed refresh | 9 gets old
        signed in, after a failed refresh | 1 left | signed in, after a failed refresh | -
        signed in, after a failed refresh | 2 left | signed in, after a failed refresh | -
        signed in, after a failed refresh | store: credential | signed in, after a failed refresh | -
        signed in, after a failed refresh | store: nothing | signed in, after a failed refresh | -
        signed in, after a failed refresh | store: failed | signed in, after a failed refresh | -
        signed in, after a failed refresh | refresh: succeeded | signed in, after a failed refresh | -
        signed in, after a failed refresh | refresh: signed out | signed in, after a failed refresh | -
        signed in, after a failed refresh | refresh: failed | signed in, after a failed refresh | -
        signed in, after a failed refresh | code received | signed in, after a failed refresh | -
        signed in, after a failed refresh | sign-in: done | signed in, after a failed refresh | discard new
        signed in, after a failed refresh | sign-in: closed | signed in, after a failed refresh | -
        signed in, after a failed refresh | sign-out wanted | deleting | delete what is stored
        signed in, after a failed refresh | sign-out called | signed in, after a failed refresh | -
        signed in, after a failed refresh | sign-out: 3 left | signed in, after a failed refresh | -
        signed in, after a failed refresh | deletion: done | signed in, after a failed refresh | -
        signed in, after a failed refresh | deletion: failed | signed in, after a failed refresh | -
        signed in, after a failed refresh | requests ended | signed in, after a failed refresh | -
        signed in, after a failed refresh | revocation ended | signed in, after a failed refresh | -
        signed in, after a failed refresh | sign-out page ended | signed in, after a failed refresh | -
        signed in, after a failed refresh | hint: the held version | signed in, after a failed refresh | -
        signed in, after a failed refresh | hint: another version | signed in, re-reading in the background | re-read the store
        signed in, after a failed refresh | hint: deleted | signed in, re-reading in the background | re-read the store
        signed in, after a failed refresh | hint: some were missed | signed in, re-reading in the background | re-read the store
        signed in, after a failed refresh | re-read: credential | signed in, after a failed refresh | -
        signed in, after a failed refresh | re-read: nothing | signed in, after a failed refresh | -
        signed in, after a failed refresh | re-read: failed | signed in, after a failed refresh | -
        signed in, reading the store | wanted, page allowed | signed in, reading the store | -
        signed in, reading the store | wanted, no page | signed in, reading the store | -
        signed in, reading the store | wanted, the first was rejected | signed in, reading the store | -
        signed in, reading the store | refresh wanted | signed in, reading the store | -
        signed in, reading the store | sign-in wanted | signed in, reading the store | -
        signed in, reading the store | step-up wanted | signed in, reading the store | -
        signed in, reading the store | sign-in wanted, the first was rejected | signed in, reading the store | -
        signed in, reading the store | knowledge wanted | signed in, reading the store | -
        signed in, reading the store | 1 left | signed in, reading the store | 1 fails: cancelled_by_program
        signed in, reading the store | 2 left | signed in, reading the store | -
        signed in, reading the store | store: credential | signed in | 1 gets new
        signed in, reading the store | store: nothing | signed out | 1 fails: sign_in_needed
        signed in, reading the store | store: failed | signed in, after a failed refresh | 1 fails: store_failed
        signed in, reading the store | refresh: succeeded | signed in, reading the store | -
        signed in, reading the store | refresh: signed out | signed in, reading the store | -
        signed in, reading the store | refresh: failed | signed in, reading the store | -
        signed in, reading the store | code received | signed in, reading the store | -
        signed in, reading the store | sign-in: done | signed in, reading the store | discard new
        signed in, reading the store | sign-in: closed | signed in, reading the store | -
        signed in, reading the store | sign-out wanted | deleting | 1 fails: cancelled_by_program, delete what is stored
        signed in, reading the store | sign-out called | signed in, reading the store | -
        signed in, reading the store | sign-out: 3 left | signed in, reading the store | -
        signed in, reading the store | deletion: done | signed in, reading the store | -
        signed in, reading the store | deletion: failed | signed in, reading the store | -
        signed in, reading the store | requests ended | signed in, reading the store | -
        signed in, reading the store | revocation ended | signed in, reading the store | -
        signed in, reading the store | sign-out page ended | signed in, reading the store | -
        signed in, reading the store | hint: the held version | signed in, reading the store | -
        signed in, reading the store | hint: another version | signed in, reading the store | -
        signed in, reading the store | hint: deleted | signed in, reading the store | -
        signed in, reading the store | hint: some were missed | signed in, reading the store | -
        signed in, reading the store | re-read: credential | signed in, reading the store | -
        signed in, reading the store | re-read: nothing | signed in, reading the store | -
        signed in, reading the store | re-read: failed | signed in, reading the store | -
        signed in, re-reading in the background | wanted, page allowed | refreshing | refresh old
        signed in, re-reading in the background | wanted, no page | refreshing | refresh old
        signed in, re-reading in the background | wanted, the first was rejected | refreshing | refresh old
        signed in, re-reading in the background | refresh wanted | refreshing | refresh old
        signed in, re-reading in the background | sign-in wanted | signing in | sign in
        signed in, re-reading in the background | step-up wanted | signing in | sign in for write
        signed in, re-reading in the background | sign-in wanted, the first was rejected | signing in | sign in
        signed in, re-reading in the background | knowledge wanted | signed in, re-reading in the background | 9 gets old
        signed in, re-reading in the background | 1 left | signed in, re-reading in the background | -
        signed in, re-reading in the background | 2 left | signed in, re-reading in the background | -
        signed in, re-reading in the background | store: credential | signed in, re-reading in the background | -
        signed in, re-reading in the background | store: nothing | signed in, re-reading in the background | -
        signed in, re-reading in the background | store: failed | signed in, re-reading in the background | -
        signed in, re-reading in the background | refresh: succeeded | signed in, re-reading in the background | -
        signed in, re-reading in the background | refresh: signed out | signed in, re-reading in the background | -
        signed in, re-reading in the background | refresh: failed | signed in, re-reading in the background | -
        signed in, re-reading in the background | code received | signed in, re-reading in the background | -
        signed in, re-reading in the background | sign-in: done | signed in, re-reading in the background | discard new
        signed in, re-reading in the background | sign-in: closed | signed in, re-reading in the background | -
        signed in, re-reading in the background | sign-out wanted | deleting | delete what is stored
        signed in, re-reading in the background | sign-out called | signed in, re-reading in the background | -
        signed in, re-reading in the background | sign-out: 3 left | signed in, re-reading in the background | -
        signed in, re-reading in the background | deletion: done | signed in, re-reading in the background | -
        signed in, re-reading in the background | deletion: failed | signed in, re-reading in the background | -
        signed in, re-reading in the background | requests ended | signed in, re-reading in the background | -
        signed in, re-reading in the background | revocation ended | signed in, re-reading in the background | -
        signed in, re-reading in the background | sign-out page ended | signed in, re-reading in the background | -
        signed in, re-reading in the background | hint: the held version | signed in, re-reading in the background | -
        signed in, re-reading in the background | hint: another version | signed in, re-reading in the background | -
        signed in, re-reading in the background | hint: deleted | signed in, re-reading in the background | -
        signed in, re-reading in the background | hint: some were missed | signed in, re-reading in the background | -
        signed in, re-reading in the background | re-read: credential | signed in | -
        signed in, re-reading in the background | re-read: nothing | signed out | -
        signed in, re-reading in the background | re-read: failed | signed in | -
        signed in, re-reading in the background, outdated | wanted, page allowed | refreshing | refresh old
        signed in, re-reading in the background, outdated | wanted, no page | refreshing | refresh old
        signed in, re-reading in the background, outdated | wanted, the first was rejected | refreshing | refresh old
        signed in, re-reading in the background, outdated | refresh wanted | refreshing | refresh old
        signed in, re-reading in the background, outdated | sign-in wanted | signing in | sign in
        signed in, re-reading in the background, outdated | step-up wanted | signing in | sign in for write
        signed in, re-reading in the background, outdated | sign-in wanted, the first was rejected | refreshing | refresh old
        signed in, re-reading in the background, outdated | knowledge wanted | signed in, re-reading in the background, outdated | 9 gets old
        signed in, re-reading in the background, outdated | 1 left | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | 2 left | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | store: credential | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | store: nothing | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | store: failed | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | refresh: succeeded | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | refresh: signed out | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | refresh: failed | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | code received | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | sign-in: done | signed in, re-reading in the background, outdated | discard new
        signed in, re-reading in the background, outdated | sign-in: closed | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | sign-out wanted | deleting | delete what is stored
        signed in, re-reading in the background, outdated | sign-out called | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | sign-out: 3 left | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | deletion: done | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | deletion: failed | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | requests ended | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | revocation ended | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | sign-out page ended | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | hint: the held version | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | hint: another version | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | hint: deleted | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | hint: some were missed | signed in, re-reading in the background, outdated | -
        signed in, re-reading in the background, outdated | re-read: credential | signed in, re-reading in the background | re-read the store
        signed in, re-reading in the background, outdated | re-read: nothing | signed in, re-reading in the background | re-read the store
        signed in, re-reading in the background, outdated | re-read: failed | signed in, re-reading in the background | re-read the store
        signed in, sign-in declined | wanted, page allowed | refreshing | refresh old
        signed in, sign-in declined | wanted, no page | refreshing | refresh old
        signed in, sign-in declined | wanted, the first was rejected | refreshing | refresh old
        signed in, sign-in declined | refresh wanted | refreshing | refresh old
        signed in, sign-in declined | sign-in wanted | signing in | sign in
        signed in, sign-in declined | step-up wanted | signing in | sign in for write
        signed in, sign-in declined | sign-in wanted, the first was rejected | signed in, sign-in declined | 9 fails: sign_in_needed
        signed in, sign-in declined | knowledge wanted | signed in, sign-in declined | 9 gets old
        signed in, sign-in declined | 1 left | signed in, sign-in declined | -
        signed in, sign-in declined | 2 left | signed in, sign-in declined | -
        signed in, sign-in declined | store: credential | signed in, sign-in declined | -
        signed in, sign-in declined | store: nothing | signed in, sign-in declined | -
        signed in, sign-in declined | store: failed | signed in, sign-in declined | -
        signed in, sign-in declined | refresh: succeeded | signed in, sign-in declined | -
        signed in, sign-in declined | refresh: signed out | signed in, sign-in declined | -
        signed in, sign-in declined | refresh: failed | signed in, sign-in declined | -
        signed in, sign-in declined | code received | signed in, sign-in declined | -
        signed in, sign-in declined | sign-in: done | signed in, sign-in declined | discard new
        signed in, sign-in declined | sign-in: closed | signed in, sign-in declined | -
        signed in, sign-in declined | sign-out wanted | deleting | delete what is stored
        signed in, sign-in declined | sign-out called | signed in, sign-in declined | -
        signed in, sign-in declined | sign-out: 3 left | signed in, sign-in declined | -
        signed in, sign-in declined | deletion: done | signed in, sign-in declined | -
        signed in, sign-in declined | deletion: failed | signed in, sign-in declined | -
        signed in, sign-in declined | requests ended | signed in, sign-in declined | -
        signed in, sign-in declined | revocation ended | signed in, sign-in declined | -
        signed in, sign-in declined | sign-out page ended | signed in, sign-in declined | -
        signed in, sign-in declined | hint: the held version | signed in, sign-in declined | -
        signed in, sign-in declined | hint: another version | signed in, re-reading in the background | re-read the store
        signed in, sign-in declined | hint: deleted | signed in, re-reading in the background | re-read the store
        signed in, sign-in declined | hint: some were missed | signed in, re-reading in the background | re-read the store
        signed in, sign-in declined | re-read: credential | signed in, sign-in declined | -
        signed in, sign-in declined | re-read: nothing | signed in, sign-in declined | -
        signed in, sign-in declined | re-read: failed | signed in, sign-in declined | -
        """
}
