import Glibc

/// Bytes of a file, with locks of open file descriptions on them (fcntl(2)): closing another descriptor of the file does not lose them.
struct ByteLock {
  var first: off_t
  var count: off_t

  /// F_OFD_GETLK and F_OFD_SETLK
  private static let (getLock, setLock): (Int32, Int32) = (36, 37)

  /// - Parameter type: F_RDLCK, F_WRLCK or F_UNLCK.
  /// - Returns: whether it was done; `errno` says why not.
  func set(_ type: Int32, _ descriptor: Int32) -> Bool {
    var lock = lock(type)
    return fcntl(descriptor, Self.setLock, &lock) == 0
  }

  /// The type of a lock that keeps off a F_WRLCK, this process's included; F_UNLCK where there is none, nil where it is not known.
  func blocker(_ descriptor: Int32) -> Int32? {
    var lock = lock(F_WRLCK)
    return fcntl(descriptor, Self.getLock, &lock) == 0 ? Int32(lock.l_type) : nil
  }

  private func lock(_ type: Int32) -> flock {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(type), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (first, count)
    return lock
  }
}
