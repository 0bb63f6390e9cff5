import Glibc
import LibFuzzer

/// Runs libFuzzer, with its own arguments, on the reader that `SUBTOP_FUZZ_READER` names.
@main enum Fuzz {
  static let reader: Reader = {
    let name = getenv("SUBTOP_FUZZ_READER").map { String(cString: $0) } ?? ""
    guard let reader = Reader(rawValue: name) else {
      let names = Reader.allCases.map(\.rawValue).joined(separator: ", ")
      stop("SUBTOP_FUZZ_READER is \"\(name)\" and not one of \(names).")
    }
    return reader
  }()

  static func main() {
    _ = reader
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    let status = LLVMFuzzerRunDriver(&count, &arguments) { start, count in
      Fuzz.reader.read(Array(UnsafeBufferPointer(start: start, count: count)))
      return 0
    }
    exit(status)
  }

  /// Aborts, which libFuzzer records as a crash with its input.
  static func stop(_ problem: String) -> Never {
    let line = problem + "\n"
    write(STDERR_FILENO, line, line.utf8.count)
    abort()
  }
}
