import Glibc

/// Why a file or a folder is not used: what is wrong with which one, and what mends it.
public enum FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A call of the system failed, with its `errno`.
  case system(String, Int32)
  case notRegular(String)
  /// What a descriptor of a process leads to, by a path like `/dev/fd/63`, where it is no file that has a name.
  case unnamed(String)
  /// A symbolic link where one is not followed.
  case link(String)
  case notFolder(String)
  /// Another user's, who is not root.
  case foreign(String, owner: UInt32)
  case writable(String)
  case readable(String)
  case tooLarge(String, limit: Int)

  /// Whether there is nothing at the path.
  public var isMissing: Bool { if case .system(_, ENOENT) = self { true } else { false } }

  /// Whether other users could have written, swapped or read it.
  public var isUnsafe: Bool {
    switch self {
    case .foreign, .writable, .readable: true
    case .system, .notRegular, .unnamed, .link, .notFolder, .tooLarge: false
    }
  }

  /// Whether it is about what lies there, and not about what the system had no room, no right or no place for.
  public var isOfTheFile: Bool { if case .system = self { false } else { true } }

  public var description: String {
    switch self {
    case .system(let path, let code): "\(path): \(String(cString: strerror(code)))"
    case .notRegular(let path): "\(path) is not a regular file, as it has to be"
    case .unnamed(let path):
      "\(path) is a pipe, a socket or a deleted file, as a shell's `<(…)` gives; write it into a regular file and give the "
        + "path of that"
    case .link(let path):
      "\(path) is a symbolic link, which is not followed; remove it or put a file in its place"
    case .notFolder(let path): "\(path) is not a folder"
    case .foreign(let path, let owner):
      "\(path) belongs to another user (\(owner)), who may change what is in it; use one of your own"
    case .writable(let path):
      "users other than its owner may write \(path); run `chmod go-w \(Self.quoted(path))`"
    case .readable(let path):
      "users other than its owner may read \(path); run `chmod 600 \(Self.quoted(path))`"
    case .tooLarge(let path, let limit): "\(path) is larger than \(limit) bytes"
    }
  }

  /// As a shell reads it.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "+")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
    return isPlain
      ? path
      : "'"
        + path.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
  }
}
