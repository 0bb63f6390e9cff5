import Subscriptions

extension Instant {
  /// The hour that begins with it.
  var followingHour: Range<Instant> { self..<max(self + Milliseconds.hour, self + 1) }
}
