#include <stddef.h>
#include <stdint.h>

// Entry point of compiler-rt's libFuzzer for programs with their own main.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one_input)(const uint8_t *bytes, size_t count));
