/// Store of forty receipts after one sweep, for tests that change it.
struct SmallStore: Sendable {
  static let shared = Task { try await SmallStore() }

  private let bytes: [String: [UInt8]]

  private init() async throws {
    let small = try await World.shared.value.small(40)
    var bytes: [String: [UInt8]] = [:]
    for suffix in ["", "-wal"] where File.exists(small.store + suffix) {
      bytes[suffix] = try File.bytes(small.store + suffix)
    }
    self.bytes = bytes
  }

  static func copy() async throws -> Subtop {
    let subtop = try Subtop()
    for (suffix, bytes) in try await shared.value.bytes { try File.write(bytes, to: subtop.store + suffix) }
    return subtop
  }
}
