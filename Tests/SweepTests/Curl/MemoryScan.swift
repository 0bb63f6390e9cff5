import Glibc

/// A mark of random bytes, and how often it stands in this process's memory. It is kept in disguise, lest the scan
/// find itself.
struct MemoryScan {
  static let length = 32
  private static let disguise: UInt8 = 0x55
  private static let piece = 1 << 20
  private static let page: UInt = 4_096

  /// A build without optimisation takes minutes to look at every byte.
  static var isQuick: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  private let disguised: [UInt8]

  init() {
    var generator = SystemRandomNumberGenerator()
    disguised = (0..<Self.length).map { _ in UInt8.random(in: 0x61...0x7A, using: &generator) ^ Self.disguise
    }
  }

  func write(to memory: UnsafeMutableRawBufferPointer) {
    for index in 0..<Self.length { memory[index] = disguised[index] ^ Self.disguise }
  }

  /// How often the mark is found in what can be written to.
  func places() -> Int {
    let memory = open("/proc/self/mem", O_RDONLY)
    defer { close(memory) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece + Self.length, alignment: 8)
    defer {
      if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
      buffer.deallocate()
    }
    let start = UInt(bitPattern: buffer.baseAddress)
    let own = start..<(start + UInt(buffer.count))
    return Self.writable().flatMap { Self.parts(of: $0, without: own) }
      .reduce(0) { $0 + count(in: $1, of: memory, buffer) }
  }

  private static func parts(of range: Range<UInt>, without hole: Range<UInt>) -> [Range<UInt>] {
    guard range.overlaps(hole) else { return [range] }
    return [
      range.lowerBound..<max(range.lowerBound, hole.lowerBound),
      min(range.upperBound, hole.upperBound)..<range.upperBound,
    ]
  }

  private func count(in bounds: Range<UInt>, of memory: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int
  {
    var (start, count) = (bounds.lowerBound, 0)
    while start < bounds.upperBound {
      // A little more than the step, so that no mark falls between two pieces.
      let wanted = min(Self.piece + Self.length - 1, Int(bounds.upperBound - start))
      let read = pread(memory, buffer.baseAddress, wanted, off_t(start))
      if read >= Self.length { count += found(in: UnsafeRawBufferPointer(rebasing: buffer[..<read])) }
      // Other threads unmap what was in the list: the read ends at the hole, and what follows it is to be looked at too.
      start =
        read == wanted
        ? start + UInt(Self.piece) : (start + UInt(max(0, read))) / Self.page * Self.page + Self.page
    }
    return count
  }

  private func found(in bytes: UnsafeRawBufferPointer) -> Int {
    guard bytes.count >= Self.length else { return 0 }
    return (0...(bytes.count - Self.length)).count { start in
      var index = 0
      while index < Self.length, bytes[start + index] ^ Self.disguise == disguised[index] { index += 1 }
      return index == Self.length
    }
  }

  private static func writable() -> [Range<UInt>] {
    guard let file = fopen("/proc/self/maps", "r") else { return [] }
    defer { fclose(file) }
    var found: [Range<UInt>] = []
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    while getline(&line, &size, file) > 0, let line {
      let words = String(cString: line).split(separator: " ")
      let bounds = words.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      guard bounds.count == 2, words.count > 1, words[1].hasPrefix("rw") else { continue }
      // The kernel tells an area twice where it has just been joined with the one before.
      let start = max(bounds[0], found.last?.upperBound ?? 0)
      if start < bounds[1] { found.append(start..<bounds[1]) }
    }
    return found
  }
}
