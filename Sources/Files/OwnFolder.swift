import Glibc

/// A folder that this program writes into: this user's or root's, and nobody else may write there.
public struct OwnFolder: Sendable {
  public let path: String
  let descriptor: Descriptor

  /// Makes it, and the folders above it, where they are not there yet.
  public init(making path: String) throws(FileProblem) {
    let place = try TrustedPath(path, to: .folder(made: true))
    try place.folder.checkNobodyElseWrites(place.folder.status(of: path), path)
    (self.path, descriptor) = (path, place.folder)
  }

  /// Writes a file beside its name and renames it, so that nobody ever reads half of one.
  public func replace(_ name: String, with bytes: [UInt8]) throws(FileProblem) {
    let draft = "\(name).\(getpid())"
    let path = "\(path)/\(name)"
    // What a process of the same number left.
    unlinkat(descriptor.number, draft, 0)
    do throws(FileProblem) {
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let file = try Descriptor(openat(descriptor.number, draft, flags, 0o600), of: path)
      try file.write(bytes, to: path)
      guard renameat(descriptor.number, draft, descriptor.number, name) == 0 else {
        throw .system(path, errno)
      }
    } catch {
      unlinkat(descriptor.number, draft, 0)
      throw error
    }
  }
}

extension Descriptor {
  func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system(path, errno) }
      rest = rest.dropFirst(count)
    }
  }
}

/// A file of somebody's choosing, where nothing is yet.
public enum NewFile {
  /// Readable by its owner alone; nothing is left behind where not all of it could be written.
  public static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let slash = path.lastIndex(of: "/")
    let folderPath = slash.map { String(path[...$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let folder = try Descriptor(open(folderPath, lookOnly | O_DIRECTORY | O_CLOEXEC), of: folderPath)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = try Descriptor(openat(folder.number, name, flags, 0o600), of: path)
    do throws(FileProblem) {
      try file.write(bytes, to: path)
    } catch {
      unlinkat(folder.number, name, 0)
      throw error
    }
  }
}
