import Glibc

/// A file that decides what this program does, or whom it tells what: a regular one of this user or root that nobody else
/// may write, checked on the descriptor that it is then read from.
public final class TrustedFile: Sendable {
  public enum Kind: Sendable {
    case configuration, certificates
    /// Nobody else may read it either.
    case secret
    /// What the program itself keeps between its runs.
    case state

    /// Bytes that it has at the most.
    public var limit: Int {
      switch self {
      case .configuration, .state: 1 << 20
      case .certificates: 4 << 20
      case .secret: 64 << 10
      }
    }
  }

  /// When it was opened.
  public let size: Int
  private let path: String
  private let kind: Kind
  private let descriptor: Descriptor

  public init(_ path: String, as kind: Kind) throws(FileProblem) {
    self.path = path
    self.kind = kind
    let place = try TrustedPath(path, to: .file)
    guard let name = place.name else { throw .notRegular(path) }
    // Looked at before it is opened, since opening a device or a pipe may do something already.
    let looked = try Descriptor(
      openat(place.folder.number, name, lookOnly | O_NOFOLLOW | O_CLOEXEC), of: path)
    guard try looked.status(of: path).type == S_IFREG else { throw .notRegular(path) }
    descriptor = try Descriptor(
      openat(place.folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), of: path)
    let status = try descriptor.status(of: path)
    guard status.type == S_IFREG else { throw .notRegular(path) }
    guard status.isOwn else { throw .foreign(path, owner: status.st_uid) }
    try descriptor.checkNobodyElseWrites(status, path)
    if kind == .secret { try descriptor.checkNobodyElseReads(status, path) }
    guard status.st_size <= kind.limit else { throw .tooLarge(path, limit: kind.limit) }
    size = Int(status.st_size)
  }

  /// Reads the file from its beginning into memory of the caller's, who may want to wipe it.
  ///
  /// - Returns: how many bytes were read: fewer than there is room for where the file ended.
  public func read(into memory: UnsafeMutableRawBufferPointer) throws(FileProblem) -> Int {
    var count = 0
    while count < memory.count {
      let read = pread(
        descriptor.number, memory.baseAddress?.advanced(by: count), memory.count - count, off_t(count))
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw .system(path, errno) }
      if read == 0 { break }
      count += read
    }
    return count
  }

  public func bytes() throws(FileProblem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    var problem: FileProblem?
    let count = bytes.withUnsafeMutableBytes { memory in
      do throws(FileProblem) {
        return try read(into: memory)
      } catch {
        problem = error
        return 0
      }
    }
    if let problem { throw problem }
    return Array(bytes[..<count])
  }
}
