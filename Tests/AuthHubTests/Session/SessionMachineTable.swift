/// Rows of state, event, next state and actions. An event of an activity that is not in progress changes nothing.
let sessionMachineTable = """
    unknown | wanted, page allowed | loading | read the store
    unknown | wanted, no page | loading | read the store
    unknown | wanted, the first was refused | loading | read the store
    unknown | renewal wanted | loading | read the store
    unknown | sign-in wanted | signing in | sign in
    unknown | step-up wanted | signing in | sign in for write
    unknown | sign-in wanted, the first was refused | loading | read the store
    unknown | knowledge wanted | loading | read the store
    unknown | 1 left | unknown | -
    unknown | 2 left | unknown | -
    unknown | store: credential | unknown | -
    unknown | store: nothing | unknown | -
    unknown | store: failed | unknown | -
    unknown | refresh: renewed | unknown | -
    unknown | refresh: signed out | unknown | -
    unknown | refresh: failed | unknown | -
    unknown | code received | unknown | -
    unknown | sign-in: done | unknown | discard new
    unknown | sign-in: closed | unknown | -
    unknown | sign-out wanted | deleting | delete what is stored
    unknown | sign-out called | unknown | -
    unknown | sign-out: 3 left | unknown | -
    unknown | deletion: done | unknown | -
    unknown | deletion: failed | unknown | -
    unknown | requests ended | unknown | -
    unknown | revocation ended | unknown | -
    unknown | sign-out page ended | unknown | -
    unknown | hint: the held version | unknown | -
    unknown | hint: another version | unknown | -
    unknown | hint: deleted | unknown | -
    unknown | hint: some were missed | unknown | -
    unknown | look: credential | unknown | -
    unknown | look: nothing | unknown | -
    unknown | look: failed | unknown | -
    loading | wanted, page allowed | loading | -
    loading | wanted, no page | loading | -
    loading | wanted, the first was refused | loading | -
    loading | renewal wanted | loading | -
    loading | sign-in wanted | loading | -
    loading | step-up wanted | loading | -
    loading | sign-in wanted, the first was refused | loading | -
    loading | knowledge wanted | loading | -
    loading | 1 left | loading | 1 fails: cancelled_by_program
    loading | 2 left | loading | -
    loading | store: credential | signed in | 1 gets new
    loading | store: nothing | signed out | 1 fails: sign_in_needed
    loading | store: failed | unknown | 1 fails: store_failed
    loading | refresh: renewed | loading | -
    loading | refresh: signed out | loading | -
    loading | refresh: failed | loading | -
    loading | code received | loading | -
    loading | sign-in: done | loading | discard new
    loading | sign-in: closed | loading | -
    loading | sign-out wanted | deleting | 1 fails: cancelled_by_program, delete what is stored
    loading | sign-out called | loading | -
    loading | sign-out: 3 left | loading | -
    loading | deletion: done | loading | -
    loading | deletion: failed | loading | -
    loading | requests ended | loading | -
    loading | revocation ended | loading | -
    loading | sign-out page ended | loading | -
    loading | hint: the held version | loading | -
    loading | hint: another version | loading | -
    loading | hint: deleted | loading | -
    loading | hint: some were missed | loading | -
    loading | look: credential | loading | -
    loading | look: nothing | loading | -
    loading | look: failed | loading | -
    signed out | wanted, page allowed | loading | read the store
    signed out | wanted, no page | loading | read the store
    signed out | wanted, the first was refused | loading | read the store
    signed out | renewal wanted | loading | read the store
    signed out | sign-in wanted | signing in | sign in
    signed out | step-up wanted | signing in | sign in for write
    signed out | sign-in wanted, the first was refused | loading | read the store
    signed out | knowledge wanted | loading | read the store
    signed out | 1 left | signed out | -
    signed out | 2 left | signed out | -
    signed out | store: credential | signed out | -
    signed out | store: nothing | signed out | -
    signed out | store: failed | signed out | -
    signed out | refresh: renewed | signed out | -
    signed out | refresh: signed out | signed out | -
    signed out | refresh: failed | signed out | -
    signed out | code received | signed out | -
    signed out | sign-in: done | signed out | discard new
    signed out | sign-in: closed | signed out | -
    signed out | sign-out wanted | deleting | delete what is stored
    signed out | sign-out called | signed out | -
    signed out | sign-out: 3 left | signed out | -
    signed out | deletion: done | signed out | -
    signed out | deletion: failed | signed out | -
    signed out | requests ended | signed out | -
    signed out | revocation ended | signed out | -
    signed out | sign-out page ended | signed out | -
    signed out | hint: the held version | signed out | look again
    signed out | hint: another version | signed out | look again
    signed out | hint: deleted | signed out | -
    signed out | hint: some were missed | signed out | look again
    signed out | look: credential | signed out | -
    signed out | look: nothing | signed out | -
    signed out | look: failed | signed out | -
    signing in | wanted, page allowed | signing in | -
    signing in | wanted, no page | signing in | -
    signing in | wanted, the first was refused | signing in | -
    signing in | renewal wanted | signing in | -
    signing in | sign-in wanted | signing in | -
    signing in | step-up wanted | signing in | -
    signing in | sign-in wanted, the first was refused | signing in | -
    signing in | knowledge wanted | signing in | -
    signing in | 1 left | signing in | 1 fails: cancelled_by_program
    signing in | 2 left | signing in | 2 fails: cancelled_by_program
    signing in | store: credential | signing in | -
    signing in | store: nothing | signing in | -
    signing in | store: failed | signing in | -
    signing in | refresh: renewed | signing in | -
    signing in | refresh: signed out | signing in | -
    signing in | refresh: failed | signing in | -
    signing in | code received | exchanging | -
    signing in | sign-in: done | signed in | 2 gets new, 1 gets new
    signing in | sign-in: closed | loading | 2 fails: cancelled_by_user, read the store
    signing in | sign-out wanted | deleting | 2 fails: cancelled_by_program, 1 fails: cancelled_by_program, cancel the sign-in, delete what is stored
    signing in | sign-out called | signing in | -
    signing in | sign-out: 3 left | signing in | -
    signing in | deletion: done | signing in | -
    signing in | deletion: failed | signing in | -
    signing in | requests ended | signing in | -
    signing in | revocation ended | signing in | -
    signing in | sign-out page ended | signing in | -
    signing in | hint: the held version | signing in | -
    signing in | hint: another version | signing in | -
    signing in | hint: deleted | signing in | -
    signing in | hint: some were missed | signing in | -
    signing in | look: credential | signing in | -
    signing in | look: nothing | signing in | -
    signing in | look: failed | signing in | -
    ending an abandoned sign-in | wanted, page allowed | ending an abandoned sign-in | -
    ending an abandoned sign-in | wanted, no page | ending an abandoned sign-in | -
    ending an abandoned sign-in | wanted, the first was refused | ending an abandoned sign-in | -
    ending an abandoned sign-in | renewal wanted | ending an abandoned sign-in | -
    ending an abandoned sign-in | sign-in wanted | ending an abandoned sign-in | -
    ending an abandoned sign-in | step-up wanted | ending an abandoned sign-in | -
    ending an abandoned sign-in | sign-in wanted, the first was refused | ending an abandoned sign-in | -
    ending an abandoned sign-in | knowledge wanted | ending an abandoned sign-in | -
    ending an abandoned sign-in | 1 left | ending an abandoned sign-in | -
    ending an abandoned sign-in | 2 left | ending an abandoned sign-in | -
    ending an abandoned sign-in | store: credential | ending an abandoned sign-in | -
    ending an abandoned sign-in | store: nothing | ending an abandoned sign-in | -
    ending an abandoned sign-in | store: failed | ending an abandoned sign-in | -
    ending an abandoned sign-in | refresh: renewed | ending an abandoned sign-in | -
    ending an abandoned sign-in | refresh: signed out | ending an abandoned sign-in | -
    ending an abandoned sign-in | refresh: failed | ending an abandoned sign-in | -
    ending an abandoned sign-in | code received | ending an abandoned sign-in | -
    ending an abandoned sign-in | sign-in: done | signed in | -
    ending an abandoned sign-in | sign-in: closed | unknown | -
    ending an abandoned sign-in | sign-out wanted | deleting | cancel the sign-in, delete what is stored
    ending an abandoned sign-in | sign-out called | ending an abandoned sign-in | -
    ending an abandoned sign-in | sign-out: 3 left | ending an abandoned sign-in | -
    ending an abandoned sign-in | deletion: done | ending an abandoned sign-in | -
    ending an abandoned sign-in | deletion: failed | ending an abandoned sign-in | -
    ending an abandoned sign-in | requests ended | ending an abandoned sign-in | -
    ending an abandoned sign-in | revocation ended | ending an abandoned sign-in | -
    ending an abandoned sign-in | sign-out page ended | ending an abandoned sign-in | -
    ending an abandoned sign-in | hint: the held version | ending an abandoned sign-in | -
    ending an abandoned sign-in | hint: another version | ending an abandoned sign-in | -
    ending an abandoned sign-in | hint: deleted | ending an abandoned sign-in | -
    ending an abandoned sign-in | hint: some were missed | ending an abandoned sign-in | -
    ending an abandoned sign-in | look: credential | ending an abandoned sign-in | -
    ending an abandoned sign-in | look: nothing | ending an abandoned sign-in | -
    ending an abandoned sign-in | look: failed | ending an abandoned sign-in | -
    exchanging | wanted, page allowed | exchanging | -
    exchanging | wanted, no page | exchanging | -
    exchanging | wanted, the first was refused | exchanging | -
    exchanging | renewal wanted | exchanging | -
    exchanging | sign-in wanted | exchanging | -
    exchanging | step-up wanted | exchanging | -
    exchanging | sign-in wanted, the first was refused | exchanging | -
    exchanging | knowledge wanted | exchanging | -
    exchanging | 1 left | exchanging | 1 fails: cancelled_by_program
    exchanging | 2 left | exchanging | 2 fails: cancelled_by_program
    exchanging | store: credential | exchanging | -
    exchanging | store: nothing | exchanging | -
    exchanging | store: failed | exchanging | -
    exchanging | refresh: renewed | exchanging | -
    exchanging | refresh: signed out | exchanging | -
    exchanging | refresh: failed | exchanging | -
    exchanging | code received | exchanging | -
    exchanging | sign-in: done | signed in | 2 gets new, 1 gets new
    exchanging | sign-in: closed | loading | 2 fails: cancelled_by_user, read the store
    exchanging | sign-out wanted | deleting | 2 fails: cancelled_by_program, 1 fails: cancelled_by_program, delete what is stored
    exchanging | sign-out called | exchanging | -
    exchanging | sign-out: 3 left | exchanging | -
    exchanging | deletion: done | exchanging | -
    exchanging | deletion: failed | exchanging | -
    exchanging | requests ended | exchanging | -
    exchanging | revocation ended | exchanging | -
    exchanging | sign-out page ended | exchanging | -
    exchanging | hint: the held version | exchanging | -
    exchanging | hint: another version | exchanging | -
    exchanging | hint: deleted | exchanging | -
    exchanging | hint: some were missed | exchanging | -
    exchanging | look: credential | exchanging | -
    exchanging | look: nothing | exchanging | -
    exchanging | look: failed | exchanging | -
    signed in | wanted, page allowed | refreshing | refresh old
    signed in | wanted, no page | refreshing | refresh old
    signed in | wanted, the first was refused | refreshing | refresh old
    signed in | renewal wanted | refreshing | refresh old
    signed in | sign-in wanted | signing in | sign in
    signed in | step-up wanted | signing in | sign in for write
    signed in | sign-in wanted, the first was refused | signing in | sign in
    signed in | knowledge wanted | signed in | 9 gets old
    signed in | 1 left | signed in | -
    signed in | 2 left | signed in | -
    signed in | store: credential | signed in | -
    signed in | store: nothing | signed in | -
    signed in | store: failed | signed in | -
    signed in | refresh: renewed | signed in | -
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
    signed in | hint: another version | signed in, looking again | look again
    signed in | hint: deleted | signed in, looking again | look again
    signed in | hint: some were missed | signed in, looking again | look again
    signed in | look: credential | signed in | -
    signed in | look: nothing | signed in | -
    signed in | look: failed | signed in | -
    signed in, not renewable | wanted, page allowed | signing in | sign in
    signed in, not renewable | wanted, no page | signed in, not renewable | 9 fails: sign_in_needed
    signed in, not renewable | wanted, the first was refused | signed in, not renewable | 9 fails: sign_in_needed
    signed in, not renewable | renewal wanted | signed in, not renewable | 9 fails: sign_in_needed
    signed in, not renewable | sign-in wanted | signing in | sign in
    signed in, not renewable | step-up wanted | signing in | sign in for write
    signed in, not renewable | sign-in wanted, the first was refused | signing in | sign in
    signed in, not renewable | knowledge wanted | signed in, not renewable | 9 gets old
    signed in, not renewable | 1 left | signed in, not renewable | -
    signed in, not renewable | 2 left | signed in, not renewable | -
    signed in, not renewable | store: credential | signed in, not renewable | -
    signed in, not renewable | store: nothing | signed in, not renewable | -
    signed in, not renewable | store: failed | signed in, not renewable | -
    signed in, not renewable | refresh: renewed | signed in, not renewable | -
    signed in, not renewable | refresh: signed out | signed in, not renewable | -
    signed in, not renewable | refresh: failed | signed in, not renewable | -
    signed in, not renewable | code received | signed in, not renewable | -
    signed in, not renewable | sign-in: done | signed in, not renewable | discard new
    signed in, not renewable | sign-in: closed | signed in, not renewable | -
    signed in, not renewable | sign-out wanted | deleting | delete what is stored
    signed in, not renewable | sign-out called | signed in, not renewable | -
    signed in, not renewable | sign-out: 3 left | signed in, not renewable | -
    signed in, not renewable | deletion: done | signed in, not renewable | -
    signed in, not renewable | deletion: failed | signed in, not renewable | -
    signed in, not renewable | requests ended | signed in, not renewable | -
    signed in, not renewable | revocation ended | signed in, not renewable | -
    signed in, not renewable | sign-out page ended | signed in, not renewable | -
    signed in, not renewable | hint: the held version | signed in, not renewable | -
    signed in, not renewable | hint: another version | signed in, looking again | look again
    signed in, not renewable | hint: deleted | signed in, looking again | look again
    signed in, not renewable | hint: some were missed | signed in, looking again | look again
    signed in, not renewable | look: credential | signed in, not renewable | -
    signed in, not renewable | look: nothing | signed in, not renewable | -
    signed in, not renewable | look: failed | signed in, not renewable | -
    refreshing | wanted, page allowed | refreshing | -
    refreshing | wanted, no page | refreshing | -
    refreshing | wanted, the first was refused | refreshing | -
    refreshing | renewal wanted | refreshing | -
    refreshing | sign-in wanted | refreshing | -
    refreshing | step-up wanted | refreshing | -
    refreshing | sign-in wanted, the first was refused | refreshing | -
    refreshing | knowledge wanted | refreshing | -
    refreshing | 1 left | refreshing | 1 fails: cancelled_by_program
    refreshing | 2 left | refreshing | -
    refreshing | store: credential | refreshing | -
    refreshing | store: nothing | refreshing | -
    refreshing | store: failed | refreshing | -
    refreshing | refresh: renewed | signed in | 1 gets new
    refreshing | refresh: signed out | signed out | 1 fails: sign_in_needed
    refreshing | refresh: failed | signed in, held back | 1 fails: unreachable
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
    refreshing | look: credential | refreshing | -
    refreshing | look: nothing | refreshing | -
    refreshing | look: failed | refreshing | -
    signed in, held back | wanted, page allowed | signed in, reading again | read the store
    signed in, held back | wanted, no page | signed in, reading again | read the store
    signed in, held back | wanted, the first was refused | signed in, reading again | read the store
    signed in, held back | renewal wanted | refreshing | refresh old
    signed in, held back | sign-in wanted | signing in | sign in
    signed in, held back | step-up wanted | signing in | sign in for write
    signed in, held back | sign-in wanted, the first was refused | signing in | sign in
    signed in, held back | knowledge wanted | signed in, held back | 9 gets old
    signed in, held back | 1 left | signed in, held back | -
    signed in, held back | 2 left | signed in, held back | -
    signed in, held back | store: credential | signed in, held back | -
    signed in, held back | store: nothing | signed in, held back | -
    signed in, held back | store: failed | signed in, held back | -
    signed in, held back | refresh: renewed | signed in, held back | -
    signed in, held back | refresh: signed out | signed in, held back | -
    signed in, held back | refresh: failed | signed in, held back | -
    signed in, held back | code received | signed in, held back | -
    signed in, held back | sign-in: done | signed in, held back | discard new
    signed in, held back | sign-in: closed | signed in, held back | -
    signed in, held back | sign-out wanted | deleting | delete what is stored
    signed in, held back | sign-out called | signed in, held back | -
    signed in, held back | sign-out: 3 left | signed in, held back | -
    signed in, held back | deletion: done | signed in, held back | -
    signed in, held back | deletion: failed | signed in, held back | -
    signed in, held back | requests ended | signed in, held back | -
    signed in, held back | revocation ended | signed in, held back | -
    signed in, held back | sign-out page ended | signed in, held back | -
    signed in, held back | hint: the held version | signed in, held back | -
    signed in, held back | hint: another version | signed in, looking again | look again
    signed in, held back | hint: deleted | signed in, looking again | look again
    signed in, held back | hint: some were missed | signed in, looking again | look again
    signed in, held back | look: credential | signed in, held back | -
    signed in, held back | look: nothing | signed in, held back | -
    signed in, held back | look: failed | signed in, held back | -
    signed in, reading again | wanted, page allowed | signed in, reading again | -
    signed in, reading again | wanted, no page | signed in, reading again | -
    signed in, reading again | wanted, the first was refused | signed in, reading again | -
    signed in, reading again | renewal wanted | signed in, reading again | -
    signed in, reading again | sign-in wanted | signed in, reading again | -
    signed in, reading again | step-up wanted | signed in, reading again | -
    signed in, reading again | sign-in wanted, the first was refused | signed in, reading again | -
    signed in, reading again | knowledge wanted | signed in, reading again | -
    signed in, reading again | 1 left | signed in, reading again | 1 fails: cancelled_by_program
    signed in, reading again | 2 left | signed in, reading again | -
    signed in, reading again | store: credential | signed in | 1 gets new
    signed in, reading again | store: nothing | signed out | 1 fails: sign_in_needed
    signed in, reading again | store: failed | signed in, held back | 1 fails: store_failed
    signed in, reading again | refresh: renewed | signed in, reading again | -
    signed in, reading again | refresh: signed out | signed in, reading again | -
    signed in, reading again | refresh: failed | signed in, reading again | -
    signed in, reading again | code received | signed in, reading again | -
    signed in, reading again | sign-in: done | signed in, reading again | discard new
    signed in, reading again | sign-in: closed | signed in, reading again | -
    signed in, reading again | sign-out wanted | deleting | 1 fails: cancelled_by_program, delete what is stored
    signed in, reading again | sign-out called | signed in, reading again | -
    signed in, reading again | sign-out: 3 left | signed in, reading again | -
    signed in, reading again | deletion: done | signed in, reading again | -
    signed in, reading again | deletion: failed | signed in, reading again | -
    signed in, reading again | requests ended | signed in, reading again | -
    signed in, reading again | revocation ended | signed in, reading again | -
    signed in, reading again | sign-out page ended | signed in, reading again | -
    signed in, reading again | hint: the held version | signed in, reading again | -
    signed in, reading again | hint: another version | signed in, reading again | -
    signed in, reading again | hint: deleted | signed in, reading again | -
    signed in, reading again | hint: some were missed | signed in, reading again | -
    signed in, reading again | look: credential | signed in, reading again | -
    signed in, reading again | look: nothing | signed in, reading again | -
    signed in, reading again | look: failed | signed in, reading again | -
    signed in, looking again | wanted, page allowed | refreshing | refresh old
    signed in, looking again | wanted, no page | refreshing | refresh old
    signed in, looking again | wanted, the first was refused | refreshing | refresh old
    signed in, looking again | renewal wanted | refreshing | refresh old
    signed in, looking again | sign-in wanted | signing in | sign in
    signed in, looking again | step-up wanted | signing in | sign in for write
    signed in, looking again | sign-in wanted, the first was refused | signing in | sign in
    signed in, looking again | knowledge wanted | signed in, looking again | 9 gets old
    signed in, looking again | 1 left | signed in, looking again | -
    signed in, looking again | 2 left | signed in, looking again | -
    signed in, looking again | store: credential | signed in, looking again | -
    signed in, looking again | store: nothing | signed in, looking again | -
    signed in, looking again | store: failed | signed in, looking again | -
    signed in, looking again | refresh: renewed | signed in, looking again | -
    signed in, looking again | refresh: signed out | signed in, looking again | -
    signed in, looking again | refresh: failed | signed in, looking again | -
    signed in, looking again | code received | signed in, looking again | -
    signed in, looking again | sign-in: done | signed in, looking again | discard new
    signed in, looking again | sign-in: closed | signed in, looking again | -
    signed in, looking again | sign-out wanted | deleting | delete what is stored
    signed in, looking again | sign-out called | signed in, looking again | -
    signed in, looking again | sign-out: 3 left | signed in, looking again | -
    signed in, looking again | deletion: done | signed in, looking again | -
    signed in, looking again | deletion: failed | signed in, looking again | -
    signed in, looking again | requests ended | signed in, looking again | -
    signed in, looking again | revocation ended | signed in, looking again | -
    signed in, looking again | sign-out page ended | signed in, looking again | -
    signed in, looking again | hint: the held version | signed in, looking again | -
    signed in, looking again | hint: another version | signed in, looking again | -
    signed in, looking again | hint: deleted | signed in, looking again | -
    signed in, looking again | hint: some were missed | signed in, looking again | -
    signed in, looking again | look: credential | signed in | -
    signed in, looking again | look: nothing | signed out | -
    signed in, looking again | look: failed | signed in | -
    signed in, looking again in vain | wanted, page allowed | refreshing | refresh old
    signed in, looking again in vain | wanted, no page | refreshing | refresh old
    signed in, looking again in vain | wanted, the first was refused | refreshing | refresh old
    signed in, looking again in vain | renewal wanted | refreshing | refresh old
    signed in, looking again in vain | sign-in wanted | signing in | sign in
    signed in, looking again in vain | step-up wanted | signing in | sign in for write
    signed in, looking again in vain | sign-in wanted, the first was refused | refreshing | refresh old
    signed in, looking again in vain | knowledge wanted | signed in, looking again in vain | 9 gets old
    signed in, looking again in vain | 1 left | signed in, looking again in vain | -
    signed in, looking again in vain | 2 left | signed in, looking again in vain | -
    signed in, looking again in vain | store: credential | signed in, looking again in vain | -
    signed in, looking again in vain | store: nothing | signed in, looking again in vain | -
    signed in, looking again in vain | store: failed | signed in, looking again in vain | -
    signed in, looking again in vain | refresh: renewed | signed in, looking again in vain | -
    signed in, looking again in vain | refresh: signed out | signed in, looking again in vain | -
    signed in, looking again in vain | refresh: failed | signed in, looking again in vain | -
    signed in, looking again in vain | code received | signed in, looking again in vain | -
    signed in, looking again in vain | sign-in: done | signed in, looking again in vain | discard new
    signed in, looking again in vain | sign-in: closed | signed in, looking again in vain | -
    signed in, looking again in vain | sign-out wanted | deleting | delete what is stored
    signed in, looking again in vain | sign-out called | signed in, looking again in vain | -
    signed in, looking again in vain | sign-out: 3 left | signed in, looking again in vain | -
    signed in, looking again in vain | deletion: done | signed in, looking again in vain | -
    signed in, looking again in vain | deletion: failed | signed in, looking again in vain | -
    signed in, looking again in vain | requests ended | signed in, looking again in vain | -
    signed in, looking again in vain | revocation ended | signed in, looking again in vain | -
    signed in, looking again in vain | sign-out page ended | signed in, looking again in vain | -
    signed in, looking again in vain | hint: the held version | signed in, looking again in vain | -
    signed in, looking again in vain | hint: another version | signed in, looking again in vain | -
    signed in, looking again in vain | hint: deleted | signed in, looking again in vain | -
    signed in, looking again in vain | hint: some were missed | signed in, looking again in vain | -
    signed in, looking again in vain | look: credential | signed in, looking again | look again
    signed in, looking again in vain | look: nothing | signed in, looking again | look again
    signed in, looking again in vain | look: failed | signed in, looking again | look again
    deleting | wanted, page allowed | deleting | 9 fails: cancelled_by_program
    deleting | wanted, no page | deleting | 9 fails: cancelled_by_program
    deleting | wanted, the first was refused | deleting | 9 fails: cancelled_by_program
    deleting | renewal wanted | deleting | 9 fails: cancelled_by_program
    deleting | sign-in wanted | deleting | 9 fails: cancelled_by_program
    deleting | step-up wanted | deleting | 9 fails: cancelled_by_program
    deleting | sign-in wanted, the first was refused | deleting | 9 fails: cancelled_by_program
    deleting | knowledge wanted | deleting | 9 fails: cancelled_by_program
    deleting | 1 left | deleting | -
    deleting | 2 left | deleting | -
    deleting | store: credential | deleting | -
    deleting | store: nothing | deleting | -
    deleting | store: failed | deleting | -
    deleting | refresh: renewed | deleting | -
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
    deleting | look: credential | deleting | -
    deleting | look: nothing | deleting | -
    deleting | look: failed | deleting | -
    deleted | wanted, page allowed | deleted | 9 fails: cancelled_by_program
    deleted | wanted, no page | deleted | 9 fails: cancelled_by_program
    deleted | wanted, the first was refused | deleted | 9 fails: cancelled_by_program
    deleted | renewal wanted | deleted | 9 fails: cancelled_by_program
    deleted | sign-in wanted | deleted | 9 fails: cancelled_by_program
    deleted | step-up wanted | deleted | 9 fails: cancelled_by_program
    deleted | sign-in wanted, the first was refused | deleted | 9 fails: cancelled_by_program
    deleted | knowledge wanted | deleted | 9 fails: cancelled_by_program
    deleted | 1 left | deleted | -
    deleted | 2 left | deleted | -
    deleted | store: credential | deleted | -
    deleted | store: nothing | deleted | -
    deleted | store: failed | deleted | -
    deleted | refresh: renewed | deleted | -
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
    deleted | look: credential | deleted | -
    deleted | look: nothing | deleted | -
    deleted | look: failed | deleted | -
    not deleted | wanted, page allowed | not deleted | 9 fails: cancelled_by_program
    not deleted | wanted, no page | not deleted | 9 fails: cancelled_by_program
    not deleted | wanted, the first was refused | not deleted | 9 fails: cancelled_by_program
    not deleted | renewal wanted | not deleted | 9 fails: cancelled_by_program
    not deleted | sign-in wanted | not deleted | 9 fails: cancelled_by_program
    not deleted | step-up wanted | not deleted | 9 fails: cancelled_by_program
    not deleted | sign-in wanted, the first was refused | not deleted | 9 fails: cancelled_by_program
    not deleted | knowledge wanted | not deleted | 9 fails: cancelled_by_program
    not deleted | 1 left | not deleted | -
    not deleted | 2 left | not deleted | -
    not deleted | store: credential | not deleted | -
    not deleted | store: nothing | not deleted | -
    not deleted | store: failed | not deleted | -
    not deleted | refresh: renewed | not deleted | -
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
    not deleted | look: credential | not deleted | -
    not deleted | look: nothing | not deleted | -
    not deleted | look: failed | not deleted | -
    revoking | wanted, page allowed | revoking | 9 fails: cancelled_by_program
    revoking | wanted, no page | revoking | 9 fails: cancelled_by_program
    revoking | wanted, the first was refused | revoking | 9 fails: cancelled_by_program
    revoking | renewal wanted | revoking | 9 fails: cancelled_by_program
    revoking | sign-in wanted | revoking | 9 fails: cancelled_by_program
    revoking | step-up wanted | revoking | 9 fails: cancelled_by_program
    revoking | sign-in wanted, the first was refused | revoking | 9 fails: cancelled_by_program
    revoking | knowledge wanted | revoking | 9 fails: cancelled_by_program
    revoking | 1 left | revoking | -
    revoking | 2 left | revoking | -
    revoking | store: credential | revoking | -
    revoking | store: nothing | revoking | -
    revoking | store: failed | revoking | -
    revoking | refresh: renewed | revoking | -
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
    revoking | look: credential | revoking | -
    revoking | look: nothing | revoking | -
    revoking | look: failed | revoking | -
    showing the sign-out page | wanted, page allowed | showing the sign-out page | 9 fails: cancelled_by_program
    showing the sign-out page | wanted, no page | showing the sign-out page | 9 fails: cancelled_by_program
    showing the sign-out page | wanted, the first was refused | showing the sign-out page | 9 fails: cancelled_by_program
    showing the sign-out page | renewal wanted | showing the sign-out page | 9 fails: cancelled_by_program
    showing the sign-out page | sign-in wanted | showing the sign-out page | 9 fails: cancelled_by_program
    showing the sign-out page | step-up wanted | showing the sign-out page | 9 fails: cancelled_by_program
    showing the sign-out page | sign-in wanted, the first was refused | showing the sign-out page | 9 fails: cancelled_by_program
    showing the sign-out page | knowledge wanted | showing the sign-out page | 9 fails: cancelled_by_program
    showing the sign-out page | 1 left | showing the sign-out page | -
    showing the sign-out page | 2 left | showing the sign-out page | -
    showing the sign-out page | store: credential | showing the sign-out page | -
    showing the sign-out page | store: nothing | showing the sign-out page | -
    showing the sign-out page | store: failed | showing the sign-out page | -
    showing the sign-out page | refresh: renewed | showing the sign-out page | -
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
    showing the sign-out page | look: credential | showing the sign-out page | -
    showing the sign-out page | look: nothing | showing the sign-out page | -
    showing the sign-out page | look: failed | showing the sign-out page | -
    signed in, sign-in declined | wanted, page allowed | refreshing | refresh old
    signed in, sign-in declined | wanted, no page | refreshing | refresh old
    signed in, sign-in declined | wanted, the first was refused | refreshing | refresh old
    signed in, sign-in declined | renewal wanted | refreshing | refresh old
    signed in, sign-in declined | sign-in wanted | signing in | sign in
    signed in, sign-in declined | step-up wanted | signing in | sign in for write
    signed in, sign-in declined | sign-in wanted, the first was refused | signed in, sign-in declined | 9 fails: sign_in_needed
    signed in, sign-in declined | knowledge wanted | signed in, sign-in declined | 9 gets old
    signed in, sign-in declined | 1 left | signed in, sign-in declined | -
    signed in, sign-in declined | 2 left | signed in, sign-in declined | -
    signed in, sign-in declined | store: credential | signed in, sign-in declined | -
    signed in, sign-in declined | store: nothing | signed in, sign-in declined | -
    signed in, sign-in declined | store: failed | signed in, sign-in declined | -
    signed in, sign-in declined | refresh: renewed | signed in, sign-in declined | -
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
    signed in, sign-in declined | hint: another version | signed in, looking again | look again
    signed in, sign-in declined | hint: deleted | signed in, looking again | look again
    signed in, sign-in declined | hint: some were missed | signed in, looking again | look again
    signed in, sign-in declined | look: credential | signed in, sign-in declined | -
    signed in, sign-in declined | look: nothing | signed in, sign-in declined | -
    signed in, sign-in declined | look: failed | signed in, sign-in declined | -
    signed out, pausing | wanted, page allowed | loading | read the store
    signed out, pausing | wanted, no page | loading | read the store
    signed out, pausing | wanted, the first was refused | loading | read the store
    signed out, pausing | renewal wanted | loading | read the store
    signed out, pausing | sign-in wanted | signing in | sign in
    signed out, pausing | step-up wanted | signing in | sign in for write
    signed out, pausing | sign-in wanted, the first was refused | loading | read the store
    signed out, pausing | knowledge wanted | loading | read the store
    signed out, pausing | 1 left | signed out, pausing | -
    signed out, pausing | 2 left | signed out, pausing | -
    signed out, pausing | store: credential | signed out, pausing | -
    signed out, pausing | store: nothing | signed out, pausing | -
    signed out, pausing | store: failed | signed out, pausing | -
    signed out, pausing | refresh: renewed | signed out, pausing | -
    signed out, pausing | refresh: signed out | signed out, pausing | -
    signed out, pausing | refresh: failed | signed out, pausing | -
    signed out, pausing | code received | signed out, pausing | -
    signed out, pausing | sign-in: done | signed out | discard new
    signed out, pausing | sign-in: closed | signed out, pausing | -
    signed out, pausing | sign-out wanted | deleting | delete what is stored
    signed out, pausing | sign-out called | signed out, pausing | -
    signed out, pausing | sign-out: 3 left | signed out, pausing | -
    signed out, pausing | deletion: done | signed out, pausing | -
    signed out, pausing | deletion: failed | signed out, pausing | -
    signed out, pausing | requests ended | signed out, pausing | -
    signed out, pausing | revocation ended | signed out, pausing | -
    signed out, pausing | sign-out page ended | signed out, pausing | -
    signed out, pausing | hint: the held version | signed out, pausing | look again
    signed out, pausing | hint: another version | signed out, pausing | look again
    signed out, pausing | hint: deleted | signed out, pausing | -
    signed out, pausing | hint: some were missed | signed out, pausing | look again
    signed out, pausing | look: credential | signed out, pausing | -
    signed out, pausing | look: nothing | signed out, pausing | -
    signed out, pausing | look: failed | signed out, pausing | -
    """
