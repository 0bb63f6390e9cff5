import Subscriptions

extension Instant {
  /// Hour that begins at this instant.
  var followingHour: Range<Instant> { self..<max(self + Milliseconds.hour, self + 1) }
}
