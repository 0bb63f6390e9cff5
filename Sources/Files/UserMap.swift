import Glibc

/// The users of a user namespace, as in a container that is not root's: what belongs to anybody else, root of the machine too,
/// shows as the overflow user's (user_namespaces(7)).
package enum UserMap {
  static func isForNobody(_ user: uid_t) -> Bool { user == nobody && isNobodyUnmapped }

  private static let nobody: uid_t = 65_534
  private static let isNobodyUnmapped: Bool = {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let descriptor = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard (1..<bytes.count).contains(count) else { return false }
    return !has(nobody, in: String(decoding: bytes[..<count], as: UTF8.self))
  }()

  /// Whether a user of this number is in the map, whose lines are: first inside, first outside, count.
  package static func has(_ user: UInt32, in map: String) -> Bool {
    map.split(separator: "\n").contains { line in
      let numbers = line.split(separator: " ").compactMap { UInt64($0) }
      return numbers.count == 3 && UInt64(user) >= numbers[0] && UInt64(user) < numbers[0] + numbers[2]
    }
  }
}
