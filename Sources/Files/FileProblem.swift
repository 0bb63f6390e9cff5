import Glibc

/// Error about a file or folder that cannot be used, described with its path and often a remedy.
public enum FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case system(String, Int32)
  case notRegular(String)
  /// The path, such as `/dev/fd/63`, leads to an open descriptor without a file name.
  case unnamed(String)
  case link(String)
  case notFolder(String)
  /// The owner is neither this user nor root.
  case foreign(String, owner: UInt32)
  case writable(String)
  case readable(String)
  case tooLarge(String, limit: Int)

  public var isMissing: Bool { if case .system(_, ENOENT) = self { true } else { false } }

  /// Whether other users could have written, replaced or read the file.
  public var isUnsafe: Bool {
    switch self {
    case .foreign, .writable, .readable: true
    case .system, .notRegular, .unnamed, .link, .notFolder, .tooLarge: false
    }
  }

  /// Whether the file or its folder is the problem; `false` for an error of the system, such as a full disk.
  public var isOfTheFile: Bool { if case .system = self { false } else { true } }

  public var description: String {
    switch self {
    case .system(let path, let code): "\(path): \(String(cString: strerror(code)))"
    case .notRegular(let path): "\(path) is not a regular file; it must be one"
    case .unnamed(let path):
      "\(path) is a pipe, a socket or a deleted file, such as a shell's `<(…)`; write it to a regular file and "
        + "pass its path"
    case .link(let path):
      "\(path) is a symbolic link, which is not followed; remove it or replace it with a file"
    case .notFolder(let path): "\(path) is not a folder"
    case .foreign(let path, let owner):
      "\(path) belongs to another user (\(owner)), who could change its content; use one of your own"
    case .writable(let path):
      "users other than its owner can write \(path); run `chmod go-w \(Self.quoted(path))`"
    case .readable(let path):
      "users other than its owner can read \(path); run `chmod 600 \(Self.quoted(path))`"
    case .tooLarge(let path, let limit): "\(path) is larger than \(limit) bytes"
    }
  }

  private static func quoted(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || ("+"..."9").contains($0) || $0 == "_") }
    return isPlain ? path : "'\(path.replacing("'", with: "'\\''"))'"
  }
}
