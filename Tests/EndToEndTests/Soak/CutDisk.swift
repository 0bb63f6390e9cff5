import TestSupport

/// A disk that has synced only what it was asked to: of the rest it may have kept any sectors and lost any.
struct CutDisk {
  /// What a name leads to, whatever the name becomes.
  private final class Contents {
    var synced: [UInt8] = []
    var pending: [FileLog.Deed] = []
  }

  private enum Naming {
    case given(String, Contents)
    case taken(String)
  }

  private let folder: String
  private var names: [String: Contents] = [:]
  private var syncedNames: [String: Contents] = [:]
  private var pendingNames: [Naming] = []
  private static let sector = 512

  init(folder: String) { self.folder = folder }

  mutating func take(_ record: (path: String, deed: FileLog.Deed)) {
    let (path, deed) = record
    switch deed {
    case .said: break
    case .created: give(path, Contents())
    case .removed:
      names[path] = nil
      pendingNames.append(.taken(path))
    case .renamed(let other):
      guard let contents = names.removeValue(forKey: path) else { return }
      pendingNames.append(.taken(path))
      give(other, contents)
    case .synced where path == folder:
      syncedNames = names
      pendingNames = []
    case .synced:
      guard let contents = names[path] else { return }
      for deed in contents.pending { Self.apply(deed, to: &contents.synced) }
      contents.pending = []
    case .written, .truncated: names[path]?.pending.append(deed)
    }
  }

  private mutating func give(_ path: String, _ contents: Contents) {
    names[path] = contents
    pendingNames.append(.given(path, contents))
  }

  private static func apply(_ deed: FileLog.Deed, to bytes: inout [UInt8]) {
    switch deed {
    case .written(let place, let data):
      if bytes.count < place + data.count {
        bytes += [UInt8](repeating: 0, count: place + data.count - bytes.count)
      }
      bytes.replaceSubrange(place..<place + data.count, with: data)
    case .truncated(let length):
      if length < bytes.count { bytes.removeLast(bytes.count - length) }
      bytes += [UInt8](repeating: 0, count: length - bytes.count)
    default: break
    }
  }

  /// What is found after the power was cut now. An index of a log is memory, and not found at all.
  ///
  /// - Parameter kept: of what was not synced, in percent.
  func files(keeping kept: Int, _ random: inout Seeded) -> [String: [UInt8]] {
    var found = syncedNames
    // A file system's own journal keeps the order of names.
    for naming in pendingNames.prefix(Int.random(in: 0...pendingNames.count, using: &random)) {
      switch naming {
      case .given(let path, let contents): found[path] = contents
      case .taken(let path): found[path] = nil
      }
    }
    var files: [String: [UInt8]] = [:]
    for (path, contents) in found.sorted(by: { $0.key < $1.key }) where !path.hasSuffix("-shm") {
      var bytes = contents.synced
      for deed in contents.pending { Self.keep(kept, of: deed, in: &bytes, &random) }
      files[String(path.dropFirst(folder.count + 1))] = bytes
    }
    return files
  }

  private static func keep(
    _ kept: Int, of deed: FileLog.Deed, in bytes: inout [UInt8], _ random: inout Seeded
  ) {
    guard case .written(let place, let data) = deed else {
      if random.chance(kept) { apply(deed, to: &bytes) }
      return
    }
    var begin = 0
    while begin < data.count {
      let end = min(data.count, begin + sector - (place + begin) % sector)
      if random.chance(kept) { apply(.written(at: place + begin, Array(data[begin..<end])), to: &bytes) }
      begin = end
    }
  }
}
