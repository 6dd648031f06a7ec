#include "Internal.h"

const char *cw_config_folder(void) { return g_get_user_config_dir(); }
const char *cw_data_folder(void) { return g_get_user_data_dir(); }
const char *cw_state_folder(void) { return g_get_user_state_dir(); }
