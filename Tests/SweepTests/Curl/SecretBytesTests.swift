import Glibc
import Sweep
import Synchronization
import Testing

@Suite struct SecretBytesTests {
  @Test(arguments: [0, 1, 4095, 4096, 4097, 100_000]) func holdsWhatItWasGiven(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let secret = SecretBytes(bytes)
    #expect(secret.count == count)
    #expect(secret.withBytes { Array($0) } == bytes)
  }

  /// Of a length that nobody else here has, so that the memory is the same again.
  @Test func nothingIsLeftForTheNextOwner() {
    let count = 3 << 20
    var addresses: Set<UnsafeRawPointer?> = []
    for _ in 0..<3 {
      let isClean = Mutex(false)
      let secret = SecretBytes(count: count) { memory in
        isClean.withLock { $0 = memory.allSatisfy { $0 == 0 } }
        for index in memory.indices { memory[index] = 0x61 }
      }
      #expect(isClean.withLock { $0 })
      addresses.insert(secret.withBytes { $0.baseAddress })
    }
    #expect(addresses.count == 1)
  }

  @Test func neverShowsItself() {
    let secret = SecretBytes(Array("hush".utf8))
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", "\([secret])", String(reflecting: secret), dumped] {
      #expect(!text.contains("hush"))
      #expect(!text.contains("104"))
    }
  }

  @Test(arguments: [5, 50_000]) func noCoreDumpHoldsIt(_ count: Int) throws {
    let secret = SecretBytes(Array(repeating: 0x61, count: count))
    let addresses = secret.withBytes { bytes -> [UInt] in
      let start = UInt(bitPattern: bytes.baseAddress)
      return [start, start + UInt(count - 1)]
    }
    for address in addresses {
      let flags = try #require(MemoryMap.flags(at: address))
      // "dd": do not include area into core dump, proc_pid_smaps(5).
      #expect(flags.contains("dd"))
    }
  }
}

/// What the kernel says of this process's memory.
private enum MemoryMap {
  /// The flags of the mapping that holds an address.
  static func flags(at address: UInt) -> [Substring]? {
    guard let file = fopen("/proc/self/smaps", "r") else { return nil }
    defer { fclose(file) }
    var isInside = false
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    while getline(&line, &size, file) > 0, let line {
      let words = String(cString: line).split { $0 == " " || $0 == "\n" }
      let bounds = words.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      if bounds.count == 2 { isInside = bounds[0] <= address && address < bounds[1] }
      if isInside, words.first == "VmFlags:" { return Array(words.dropFirst()) }
    }
    return nil
  }
}
