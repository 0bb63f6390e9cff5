import Glibc

/// What the program was called with: a path or an id in other bytes than UTF-8 would become that of something else.
enum GivenText {
  static func check() throws(Failure) {
    let arguments = (1..<max(CommandLine.argc, 1)).map { CommandLine.unsafeArgv[Int($0)] }
    for case .some(let text) in arguments + [getenv("SUBTOP_STORE")]
    where String(validatingCString: text) == nil {
      throw Failure(
        .usage,
        "\(printable(String(cString: text))) is not UTF-8, which paths, ids and names have to be; rename the file, or pass another value"
      )
    }
  }
}
