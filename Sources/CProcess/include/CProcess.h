// What a process tells of itself: its version, and what it may say when it crashes, and to whom.
#pragma once

// The version in Package.swift, with the commit where the build was told it: `0.2.0 (1a2b3c4d5e6f)`.
const char *process_version(void);

// Has a crash say one sentence on standard error and end the process by the same signal, in place of the Swift
// runtime's handlers, which print registers and the stack where SWIFT_BACKTRACE asks for it. To be called first.
void process_say_little_of_crashes(void);

// Has the kernel write no core, and lets no other process of this user read the memory (PR_SET_DUMPABLE, prctl(2)).
void process_forbid_dumps(void);

// Has a signal write its number, one byte, to a pipe from now on; -1 leaves it to its default action again.
void process_pass_on_signal(int number, int descriptor);
