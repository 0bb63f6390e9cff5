import Glibc
import Synchronization

/// The accounts of the system, as getpwent(3) lists them.
enum Accounts {
  /// Looked through at the most: a directory service may list very many, and slowly.
  private static let limits = (accounts: 100_000, seconds: 2)

  /// What was found out in this process, by group: a log asks for each line.
  private static let known = Mutex<[gid_t: Set<uid_t>]>([:])

  /// Whether a group is the primary one of an account that is neither this user's nor root's; so it is where there are too many
  /// accounts to tell.
  static func isPrimary(_ group: gid_t, ofOthersThan owner: uid_t) -> Bool {
    known.withLock { known in
      let users = known[group] ?? users(of: group)
      known[group] = users
      return users.contains { $0 != owner && $0 != 0 }
    }
  }

  /// Those whose primary group it is. One at a time: the position in the list is the process's.
  private static func users(of group: gid_t) -> Set<uid_t> {
    var users: Set<uid_t> = []
    var (entry, memory) = (passwd(), [CChar](repeating: 0, count: 1 << 12))
    var found: UnsafeMutablePointer<passwd>?
    let end = seconds() + limits.seconds
    setpwent()
    defer { endpwent() }
    for _ in 0..<limits.accounts where seconds() <= end {
      var result = getpwent_r(&entry, &memory, memory.count, &found)
      while result == ERANGE, memory.count < 1 << 20 {
        memory = .init(repeating: 0, count: 2 * memory.count)
        result = getpwent_r(&entry, &memory, memory.count, &found)
      }
      guard result == 0, found != nil else { return users }
      if entry.pw_gid == group { users.insert(entry.pw_uid) }
    }
    return users.union([.max])
  }

  private static func seconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec
  }
}
