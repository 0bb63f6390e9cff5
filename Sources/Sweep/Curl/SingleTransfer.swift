import Dispatch

/// Runs a single request. Blocks its thread until the request ends or the limit has passed.
enum SingleTransfer {
  /// - Parameter limit: milliseconds.
  static func run(
    _ transfer: Transfer, within limit: Int64, certificates: CertificateBundle?
  ) -> TransferResult? {
    let total = Int(clamping: max(1, limit))
    let limits = TransferLimits(
      connect: min(total, 10_000), total: total, answerBytes: 64 << 10, bytesInFlight: 64 << 10,
      certificates: certificates)
    do throws(TransportError) {
      return try run(transfer, limits)
    } catch {
      return .failed(error)
    }
  }

  /// - Parameter started: called with the engine, whose `stop()` ends the transfer from any thread.
  /// - Returns: `nil` if it was stopped.
  static func run(
    _ transfer: Transfer, _ limits: TransferLimits, started: (TransferEngine<Void>) -> Void = { _ in }
  ) throws(TransportError) -> TransferResult? {
    let queue = DispatchQueue(label: "subtop.single-transfer")
    let engine = try TransferEngine<Void>(queue: queue, limits: limits)
    started(engine)
    var outcome: TransferResult?
    queue.sync {
      var isSent = false
      _ = engine.run(concurrency: 1) { _ in
        guard !isSent else { return .exhausted }
        isSent = true
        return .transfer(transfer, ())
      } finish: { _, result in
        outcome = result
      }
    }
    return outcome
  }
}
