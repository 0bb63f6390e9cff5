import Glibc

/// Standard input, output and error where whoever started the program closed them.
enum MissingDescriptors {
  /// Puts something in their place. Otherwise the next file or connection that is opened would be one of them, and what is
  /// meant for a person would be written into it.
  ///
  /// Reading the one and writing the others fail as they would have, as glibc does it for programs with other rights than
  /// their user's.
  static func fill() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free one is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
