#include <stddef.h>
#include <stdint.h>

// What compiler-rt's libFuzzer declares for programs with a main of their own.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one_input)(const uint8_t *bytes, size_t count));
