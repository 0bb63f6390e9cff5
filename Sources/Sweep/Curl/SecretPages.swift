import Glibc
import Synchronization

/// Pages that no core dump holds, handed out wiped. To map them costs fifty times what it costs to fill them, and a
/// sweep needs some for every receipt: so those that come back are kept for the next.
enum SecretPages {
  /// Bytes that are kept at the most.
  private static let limit = 16 << 20
  private static let kept = Mutex(Kept())

  private struct Kept {
    /// Addresses by length.
    var free: [Int: [UInt]] = [:]
    var bytes = 0
  }

  /// At least `count` bytes, all zero.
  static func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let length = length(for: count)
    let address: UInt? = kept.withLock { kept in
      guard let address = kept.free[length]?.popLast() else { return nil }
      kept.bytes -= length
      return address
    }
    let start = address.flatMap { UnsafeMutableRawPointer(bitPattern: $0) } ?? map(length)
    return UnsafeMutableRawBufferPointer(start: start, count: length)
  }

  /// - Parameter used: how many of the bytes were written.
  static func give(back pages: UnsafeMutableRawBufferPointer, used: Int) {
    guard let start = pages.baseAddress else { return }
    explicit_bzero(start, used)
    let isKept = kept.withLock { kept in
      guard kept.bytes + pages.count <= limit else { return false }
      kept.bytes += pages.count
      kept.free[pages.count, default: []].append(UInt(bitPattern: start))
      return true
    }
    if !isKept { munmap(start, pages.count) }
  }

  /// Whole pages, since madvise(2) takes nothing smaller, and a power of two of them, so that few lengths differ.
  private static func length(for count: Int) -> Int {
    var length = Int(sysconf(Int32(_SC_PAGESIZE)))
    while length < count { length *= 2 }
    return length
  }

  private static func map(_ length: Int) -> UnsafeMutableRawPointer {
    let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    // Like any allocation of Swift's: there is no going on without memory.
    guard let start, start != MAP_FAILED else {
      preconditionFailure("There are no \(length) bytes of memory.")
    }
    madvise(start, length, MADV_DONTDUMP)
    return start
  }
}
