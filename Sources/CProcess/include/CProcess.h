// Version, crash handling and signals of the process.
#pragma once

// Version in Package.swift, with the commit if the build knows it: `0.2.0 (1a2b3c4d5e6f)`.
const char *process_version(void);

// Makes a crash write one sentence to standard error and end the process with the same signal. Replaces the
// Swift runtime's handlers, which print registers and the stack if SWIFT_BACKTRACE asks for it. Must be
// called first.
void process_say_little_of_crashes(void);

// Disables core dumps, and access to the memory by other processes of this user (PR_SET_DUMPABLE, prctl(2)).
void process_forbid_dumps(void);

// Makes a signal write its number, one byte, to a pipe from now on; -1 restores its default action.
void process_pass_on_signal(int number, int descriptor);
