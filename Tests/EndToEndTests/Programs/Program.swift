import Glibc

struct Program: Sendable {
  let path: String

  /// Product of this package, in the folder of the test bundle or above it.
  static func built(_ name: String) throws(ProgramError) -> Program {
    guard var folder = ownFolder else { throw .missing(name) }
    while !folder.isEmpty {
      if isProgram("\(folder)/\(name)") { return Program(path: "\(folder)/\(name)") }
      folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
    }
    throw .missing(name)
  }

  static func installed(_ name: String) -> Program? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first(where: isProgram).map(Program.init)
  }

  private static var ownFolder: String? {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    guard count > 0 else { return nil }
    let path = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}

enum ProgramError: Error, CustomStringConvertible {
  case missing(String)
  case notStarted(String, Int32)
  case tooSlow(String, seconds: Int64)
  case file(String, Int32)

  var description: String {
    switch self {
    case .missing(let name):
      "the program \(name) does not lie beside the tests; build the whole package, as `swift build --build-tests` does"
    case .notStarted(let path, let code): "cannot start \(path): \(String(cString: strerror(code)))"
    case .tooSlow(let what, let seconds): "\(what) was not done after \(seconds) seconds"
    case .file(let path, let code): "cannot use \(path): \(String(cString: strerror(code)))"
    }
  }
}

enum Ending: Hashable, CustomStringConvertible {
  case code(Int32)
  case signal(Int32)

  init(_ status: Int32) {
    self = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  var description: String {
    switch self {
    case .code(let code): "exit \(code)"
    case .signal(let number): "signal \(number)"
    }
  }
}
