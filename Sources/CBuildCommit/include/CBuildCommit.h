#ifndef AUTHHUB_C_BUILD_COMMIT_H
#define AUTHHUB_C_BUILD_COMMIT_H

// The commit that a release was built from, as Scripts/build-release wrote it into the linked binary; empty in other builds.
const char *authhub_build_commit(void);

#endif
