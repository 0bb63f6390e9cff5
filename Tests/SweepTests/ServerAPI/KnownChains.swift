import ReceiptStore
import Subscriptions

/// Description of each chain in a store, independent of the source.
struct KnownChains {
  /// Texts by environment and original transaction id.
  private(set) var texts: [String: String] = [:]

  /// - Parameter hasMoney: Whether to include prices and flows that depend on them.
  init(_ store: ReceiptStore, at t: Instant, hasMoney: Bool) throws {
    let population = try store.evidenceLedger()
    var chains: [String: (StoreEnvironment, OriginalTransactionID, [Line])] = [:]
    for line in population.lines {
      chains[Self.name(line.id), default: (line.id.environment, line.id.originalTransactionID, [])].2.append(
        line)
    }
    for (name, (environment, id, lines)) in chains {
      let report = try store.chains(matching: id.rawValue, at: t).first { $0.environment == environment }
      guard let report else { continue }
      var words = report.lines.flatMap { Self.words(of: $0, hasMoney) }
      words += lines.flatMap(Self.words)
      words += report.oneTime.map { "once \($0.transactionId) \($0.productId) \($0.refunded)" }
      texts[name] = words.joined(separator: "\n")
    }
  }

  private static func name(_ id: LineID) -> String {
    "\(id.environment.rawValue) \(id.originalTransactionID)"
  }

  func differences(from other: KnownChains) -> [String] {
    Set(texts.keys).union(other.texts.keys).sorted().compactMap { name in
      guard let one = texts[name] else { return "\(name) is missing" }
      guard let two = other.texts[name] else { return "\(name) is not there" }
      guard one != two else { return nil }
      let (left, right) = (one.split(separator: "\n"), two.split(separator: "\n"))
      let place = zip(left, right).first { $0 != $1 } ?? (left.last ?? "", right.last ?? "")
      return "\(name): \(place.0)\n instead of \(place.1)"
    }
  }

  // MARK: Lines and their rows and events

  /// Receipts also have the promotional offer of an offer code, so only one name is used.
  private static func words(of line: LineEntry, _ hasMoney: Bool) -> [String] {
    var words = [
      "\(line.subscriptionGroupId?.rawValue ?? "") \(line.state) \(line.rule) \(line.currentTransactionId) "
        + "\(line.accessUntilMs.iso8601) \(line.productId) \(String(describing: line.autoRenew)) "
        + "\(line.expirationIntent ?? "-") \(line.priceConsentPending) \(line.changePending) \(line.familyShared)"
    ]
    for row in line.transactions {
      let offer = row.offerCodeRefName ?? row.promotionalOfferId ?? ""
      words.append(
        "  \(row.transactionId) \(row.kind) \(row.purchaseMs.iso8601) \(row.effectiveEndMs?.iso8601 ?? "-") "
          + "\(row.refunded) \(row.upgraded) \(row.upgradedAtMs?.iso8601 ?? "-") \(offer) \(row.quantity) "
          + (hasMoney ? "\(row.priceMicros ?? -1) \(row.currency?.rawValue ?? "")" : ""))
    }
    for event in line.events {
      let isOfMoney =
        event.flow.map { [.expansion, .contraction, .exchanged, .repriced].contains($0) } ?? false
      words.append(
        "  \(event.type.rawValue) \(isOfMoney && !hasMoney ? "-" : event.flow?.rawValue ?? "-") "
          + "\(event.effectiveAt.iso8601) \(event.productID) \(event.notificationType?.rawValue ?? "-") "
          + "\(event.isNotifiedOnly)")
    }
    return words
  }

  private static func words(of line: Line) -> [String] {
    line.timeline.spans.map { span in
      let position = span.position
      return "  from \(span.from.iso8601) \(position.state) \(line.rows[position.row].id) "
        + "\(String(describing: position.reason)) \(String(describing: position.autoRenew)) \(position.isUnseen) "
        + span.accessEnd.iso8601
    }
  }
}
