import NIOCore
import Synchronization

/// The connections whose answers go on until the client leaves; a server that stops sends them away.
final class HeldConnections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Holds the connection for the length of the body; one that comes too late is sent away at once.
  func hold(_ channel: any Channel, _ body: () async throws -> Void) async rethrows {
    let isClosed = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = channel
      return state.isClosed
    }
    defer { state.withLock { $0.channels[ObjectIdentifier(channel)] = nil } }
    if isClosed { channel.slam() }
    channel.closeWhenLeft()
    try await body()
  }

  func close() {
    let channels = state.withLock { state in
      state.isClosed = true
      return Array(state.channels.values)
    }
    for channel in channels { channel.slam() }
  }
}
