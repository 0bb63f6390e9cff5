import Subscriptions
import Synchronization

/// So many requests a second for each app and endpoint, and a tenth in the sandbox: *App Store Server API › Identifying rate limits*.
final class RateLimit: Sendable {
  private let perSecond: Int?
  private let windows = Mutex<[Key: Window]>([:])

  private struct Key: Hashable {
    let app: BundleID
    let endpoint: ServerAPIEndpoint
    let isSandbox: Bool
  }

  private struct Window {
    var second: Int64
    var count = 0
  }

  /// - Parameter perSecond: nil is no limit.
  init(perSecond: Int?) { self.perSecond = perSecond }

  /// Counts a request; gives when the next is allowed where this one is not, and nil where it is.
  func refusal(of call: ServerAPICall, for app: BundleID, at now: Instant) -> Instant? {
    guard let perSecond else { return nil }
    let most = call.isSandbox ? max(1, perSecond / 10) : perSecond
    let key = Key(app: app, endpoint: call.endpoint, isSandbox: call.isSandbox)
    let second = now.rawValue / Milliseconds.second
    return windows.withLock { windows in
      var window = windows[key] ?? Window(second: second)
      if window.second != second { window = Window(second: second) }
      window.count += 1
      windows[key] = window
      return window.count > most ? Instant(milliseconds: (second + 1) * Milliseconds.second) : nil
    }
  }
}
