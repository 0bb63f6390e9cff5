import Dashboard
import Glibc
import Synchronization

/// Queue of events from other threads, with a pipe that the main loop polls among its other descriptors.
final class Mailbox: Sendable {
  private let events = Mutex<[Event]>([])
  let readDescriptor: Int32
  private let writeDescriptor: Int32

  init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure(.failed, "cannot make a pipe: \(errorText())") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readDescriptor, writeDescriptor) = (ends[0], ends[1])
  }

  deinit {
    close(readDescriptor)
    close(writeDescriptor)
  }

  func post(_ event: Event) {
    let wasEmpty = events.withLock { events in
      defer { events.append(event) }
      return events.isEmpty
    }
    // A full pipe has already woken the loop.
    if wasEmpty { _ = write(writeDescriptor, "!", 1) }
  }

  func collect() -> [Event] {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(readDescriptor, &bytes, bytes.count) > 0 {}
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
