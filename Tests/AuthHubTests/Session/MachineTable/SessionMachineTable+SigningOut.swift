extension SessionMachineTable {
    /// The rows of a session that is signing out.
    static let signingOut = """
        deleting | wanted, page allowed | deleting | 9 fails: cancelled_by_program
        deleting | wanted, no page | deleting | 9 fails: cancelled_by_program
        deleting | wanted, the first was rejected | deleting | 9 fails: cancelled_by_program
        deleting | refresh wanted | deleting | 9 fails: cancelled_by_program
        deleting | sign-in wanted | deleting | 9 fails: cancelled_by_program
        deleting | step-up wanted | deleting | 9 fails: cancelled_by_program
        deleting | sign-in wanted, the first was rejected | deleting | 9 fails: cancelled_by_program
        deleting | knowledge wanted | deleting | 9 fails: cancelled_by_program
        deleting | 1 left | deleting | -
        deleting | 2 left | deleting | -
        deleting | store: credential | deleting | -
        deleting | store: nothing | deleting | -
        deleting | store: failed | deleting | -
        deleting | refresh: succeeded | deleting | -
        deleting | refresh: signed out | deleting | -
        deleting | refresh: failed | deleting | -
        deleting | code received | deleting | -
        deleting | sign-in: done | deleting | -
        deleting | sign-in: closed | deleting | -
        deleting | sign-out wanted | deleting | -
        deleting | sign-out called | deleting | -
        deleting | sign-out: 3 left | deleting | give up the deletion
        deleting | deletion: done | deleted | -
        deleting | deletion: failed | not deleted | -
        deleting | requests ended | deleting | -
        deleting | revocation ended | deleting | -
        deleting | sign-out page ended | deleting | -
        deleting | hint: the held version | deleting | -
        deleting | hint: another version | deleting | -
        deleting | hint: deleted | deleting | -
        deleting | hint: some were missed | deleting | -
        deleting | re-read: credential | deleting | -
        deleting | re-read: nothing | deleting | -
        deleting | re-read: failed | deleting | -
        deleted | wanted, page allowed | deleted | 9 fails: cancelled_by_program
        deleted | wanted, no page | deleted | 9 fails: cancelled_by_program
        deleted | wanted, the first was rejected | deleted | 9 fails: cancelled_by_program
        deleted | refresh wanted | deleted | 9 fails: cancelled_by_program
        deleted | sign-in wanted | deleted | 9 fails: cancelled_by_program
        deleted | step-up wanted | deleted | 9 fails: cancelled_by_program
        deleted | sign-in wanted, the first was rejected | deleted | 9 fails: cancelled_by_program
        deleted | knowledge wanted | deleted | 9 fails: cancelled_by_program
        deleted | 1 left | deleted | -
        deleted | 2 left | deleted | -
        deleted | store: credential | deleted | -
        deleted | store: nothing | deleted | -
        deleted | store: failed | deleted | -
        deleted | refresh: succeeded | deleted | -
        deleted | refresh: signed out | deleted | -
        deleted | refresh: failed | deleted | -
        deleted | code received | deleted | -
        deleted | sign-in: done | deleted | -
        deleted | sign-in: closed | deleted | -
        deleted | sign-out wanted | deleted | -
        deleted | sign-out called | deleted | -
        deleted | sign-out: 3 left | deleted | -
        deleted | deletion: done | deleted | -
        deleted | deletion: failed | deleted | -
        deleted | requests ended | revoking | revoke what was deleted
        deleted | revocation ended | deleted | -
        deleted | sign-out page ended | deleted | -
        deleted | hint: the held version | deleted | -
        deleted | hint: another version | deleted | -
        deleted | hint: deleted | deleted | -
        deleted | hint: some were missed | deleted | -
        deleted | re-read: credential | deleted | -
        deleted | re-read: nothing | deleted | -
        deleted | re-read: failed | deleted | -
        not deleted | wanted, page allowed | not deleted | 9 fails: cancelled_by_program
        not deleted | wanted, no page | not deleted | 9 fails: cancelled_by_program
        not deleted | wanted, the first was rejected | not deleted | 9 fails: cancelled_by_program
        not deleted | refresh wanted | not deleted | 9 fails: cancelled_by_program
        not deleted | sign-in wanted | not deleted | 9 fails: cancelled_by_program
        not deleted | step-up wanted | not deleted | 9 fails: cancelled_by_program
        not deleted | sign-in wanted, the first was rejected | not deleted | 9 fails: cancelled_by_program
        not deleted | knowledge wanted | not deleted | 9 fails: cancelled_by_program
        not deleted | 1 left | not deleted | -
        not deleted | 2 left | not deleted | -
        not deleted | store: credential | not deleted | -
        not deleted | store: nothing | not deleted | -
        not deleted | store: failed | not deleted | -
        not deleted | refresh: succeeded | not deleted | -
        not deleted | refresh: signed out | not deleted | -
        not deleted | refresh: failed | not deleted | -
        not deleted | code received | not deleted | -
        not deleted | sign-in: done | not deleted | -
        not deleted | sign-in: closed | not deleted | -
        not deleted | sign-out wanted | not deleted | -
        not deleted | sign-out called | not deleted | -
        not deleted | sign-out: 3 left | not deleted | -
        not deleted | deletion: done | not deleted | -
        not deleted | deletion: failed | not deleted | -
        not deleted | requests ended | unknown | end the sign-out
        not deleted | revocation ended | not deleted | -
        not deleted | sign-out page ended | not deleted | -
        not deleted | hint: the held version | not deleted | -
        not deleted | hint: another version | not deleted | -
        not deleted | hint: deleted | not deleted | -
        not deleted | hint: some were missed | not deleted | -
        not deleted | re-read: credential | not deleted | -
        not deleted | re-read: nothing | not deleted | -
        not deleted | re-read: failed | not deleted | -
        revoking | wanted, page allowed | revoking | 9 fails: cancelled_by_program
        revoking | wanted, no page | revoking | 9 fails: cancelled_by_program
        revoking | wanted, the first was rejected | revoking | 9 fails: cancelled_by_program
        revoking | refresh wanted | revoking | 9 fails: cancelled_by_program
        revoking | sign-in wanted | revoking | 9 fails: cancelled_by_program
        revoking | step-up wanted | revoking | 9 fails: cancelled_by_program
        revoking | sign-in wanted, the first was rejected | revoking | 9 fails: cancelled_by_program
        revoking | knowledge wanted | revoking | 9 fails: cancelled_by_program
        revoking | 1 left | revoking | -
        revoking | 2 left | revoking | -
        revoking | store: credential | revoking | -
        revoking | store: nothing | revoking | -
        revoking | store: failed | revoking | -
        revoking | refresh: succeeded | revoking | -
        revoking | refresh: signed out | revoking | -
        revoking | refresh: failed | revoking | -
        revoking | code received | revoking | -
        revoking | sign-in: done | revoking | -
        revoking | sign-in: closed | revoking | -
        revoking | sign-out wanted | revoking | -
        revoking | sign-out called | revoking | -
        revoking | sign-out: 3 left | revoking | -
        revoking | deletion: done | revoking | -
        revoking | deletion: failed | revoking | -
        revoking | requests ended | revoking | -
        revoking | revocation ended | showing the sign-out page | show the page
        revoking | sign-out page ended | revoking | -
        revoking | hint: the held version | revoking | -
        revoking | hint: another version | revoking | -
        revoking | hint: deleted | revoking | -
        revoking | hint: some were missed | revoking | -
        revoking | re-read: credential | revoking | -
        revoking | re-read: nothing | revoking | -
        revoking | re-read: failed | revoking | -
        showing the sign-out page | wanted, page allowed | showing the sign-out page | 9 fails: cancelled_by_program
        showing the sign-out page | wanted, no page | showing the sign-out page | 9 fails: cancelled_by_program
        showing the sign-out page | wanted, the first was rejected | showing the sign-out page | 9 fails: cancelled_by_program
        showing the sign-out page | refresh wanted | showing the sign-out page | 9 fails: cancelled_by_program
        showing the sign-out page | sign-in wanted | showing the sign-out page | 9 fails: cancelled_by_program
        showing the sign-out page | step-up wanted | showing the sign-out page | 9 fails: cancelled_by_program
        showing the sign-out page | sign-in wanted, the first was rejected | showing the sign-out page | 9 fails: cancelled_by_program
        showing the sign-out page | knowledge wanted | showing the sign-out page | 9 fails: cancelled_by_program
        showing the sign-out page | 1 left | showing the sign-out page | -
        showing the sign-out page | 2 left | showing the sign-out page | -
        showing the sign-out page | store: credential | showing the sign-out page | -
        showing the sign-out page | store: nothing | showing the sign-out page | -
        showing the sign-out page | store: failed | showing the sign-out page | -
        showing the sign-out page | refresh: succeeded | showing the sign-out page | -
        showing the sign-out page | refresh: signed out | showing the sign-out page | -
        showing the sign-out page | refresh: failed | showing the sign-out page | -
        showing the sign-out page | code received | showing the sign-out page | -
        showing the sign-out page | sign-in: done | showing the sign-out page | -
        showing the sign-out page | sign-in: closed | showing the sign-out page | -
        showing the sign-out page | sign-out wanted | showing the sign-out page | -
        showing the sign-out page | sign-out called | showing the sign-out page | -
        showing the sign-out page | sign-out: 3 left | showing the sign-out page | close the page
        showing the sign-out page | deletion: done | showing the sign-out page | -
        showing the sign-out page | deletion: failed | showing the sign-out page | -
        showing the sign-out page | requests ended | showing the sign-out page | -
        showing the sign-out page | revocation ended | showing the sign-out page | -
        showing the sign-out page | sign-out page ended | signed out | end the sign-out
        showing the sign-out page | hint: the held version | showing the sign-out page | -
        showing the sign-out page | hint: another version | showing the sign-out page | -
        showing the sign-out page | hint: deleted | showing the sign-out page | -
        showing the sign-out page | hint: some were missed | showing the sign-out page | -
        showing the sign-out page | re-read: credential | showing the sign-out page | -
        showing the sign-out page | re-read: nothing | showing the sign-out page | -
        showing the sign-out page | re-read: failed | showing the sign-out page | -
        """
}
