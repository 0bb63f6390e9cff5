extension ReferenceModel {
  /// Renewal infos P that one validation showed for a line.
  struct Snapshot: Sendable {
    var at: Int
    var elements: [Renewal]

    /// If no element is of the row's product, METRICS leaves open which one counts.
    func renewal(for period: Period) -> Renewal? {
      elements.first { $0.product == period.row.product } ?? elements.last
    }
  }
}

extension ReferenceModel.Chain {
  /// Snapshots of a line, without elements for other lines' products.
  func snapshots(ofLine index: Int) -> [ReferenceModel.Snapshot] {
    let products = lines.map { Set($0.rows.map(\.product)) }
    let foreign = products.indices.filter { $0 != index }.flatMap {
      products[$0].subtracting(products[index])
    }
    let own = lines[index].renewals.filter { renewal in
      !(renewal.product.map(foreign.contains) ?? false)
    }
    return validations.sorted { $0.at < $1.at }.filter(\.hasRenewals).compactMap { validation in
      let shown = own.filter { $0.observedAt <= validation.at && validation.at <= $0.lastObservedAt }
      return shown.isEmpty ? nil : ReferenceModel.Snapshot(at: validation.at, elements: shown)
    }
  }

  /// Whether the account is gone (21010) without a later answer.
  var isGone: Bool { goneAt.map { gone in !validations.contains { $0.at > gone } } ?? false }
}

extension ReferenceModel.Line {
  /// Facts about the time from a row's expiry (E) to the next purchase (N) (METRICS §3).
  struct Gap {
    /// Expiry E.
    var start: Int
    /// Next purchase N.
    var end: Int?
    var validations: [Int]
    var snapshots: [(at: Int, renewal: ReferenceModel.Renewal)]
    var expiredSubtypes: [String] = []
    /// Instant just before a purchase that a notification calls a billing recovery.
    var recovery: Int?
    /// End of grace, G.
    var graceEnd: Int?
    /// Whether the chain was validated at or after E.
    var isAsked: Bool
    var isOfGoneAccount: Bool

    var limit: Int { start + 60 * ReferenceModel.day }

    /// Intent of the last snapshot, else of the newest subtype, else unknown.
    var reason: String? {
      guard let last = snapshots.last?.renewal else { return nil }
      let intents = [
        "VOLUNTARY": "1", "BILLING_RETRY": "2", "PRICE_INCREASE": "3", "PRODUCT_NOT_FOR_SALE": "4",
      ]
      let intent = last.intent ?? expiredSubtypes.compactMap { intents[$0] }.last
      return intent.flatMap { ["1", "2", "3", "4", "5"].contains($0) ? $0 : nil }
    }

    /// Last instant z of billing retry, by a snapshot or a notified recovery.
    var lastRetry: Int? {
      if let recovery, recovery < limit { return recovery }
      return snapshots.last { $0.at < limit && $0.renewal.isInRetry }?.at
    }

    var isSeen: Bool { recovery.map { $0 < limit } ?? false || !snapshots.isEmpty }

    var retryEnd: Int? {
      lastRetry.map { last in min(limit, snapshots.first { $0.at > last }?.at ?? limit) }
    }
  }

  func gap(after period: ReferenceModel.Period, at moment: Int) -> Gap {
    let (start, end) = (period.end, purchase(after: moment))
    func isBefore(_ instant: Int) -> Bool { end.map { instant < $0 } ?? true }
    let observed = snapshots.filter { isBefore($0.at) }.compactMap { snapshot in
      snapshot.renewal(for: period).map { (at: snapshot.at, renewal: $0) }
    }
    let notices = chain.notices.filter { notice in
      periods.contains {
        notice.transaction == $0.id || notice.transaction.map($0.row.others.contains) ?? false
      }
    }
    let isRecovery = notices.contains { notice in
      notice.type == "DID_RENEW" && notice.subtype == "BILLING_RECOVERY"
        && periods.contains {
          $0.row.start == end
            && (notice.transaction == $0.id || notice.transaction.map($0.row.others.contains) ?? false)
        }
    }
    return Gap(
      start: start, end: end,
      validations: chain.validations.map(\.at).filter { $0 >= start && isBefore($0) },
      snapshots: observed.filter { $0.at >= start },
      expiredSubtypes: notices.filter { $0.type == "EXPIRED" && $0.at >= start && isBefore($0.at) }
        .sorted { $0.at < $1.at }.compactMap(\.subtype),
      recovery: isRecovery ? end.map { $0 - 1 }.flatMap { $0 >= start ? $0 : nil } : nil,
      graceEnd: observed.compactMap(\.renewal.graceEnd).last { $0 > start },
      isAsked: chain.validations.contains { $0.at >= start },
      isOfGoneAccount: chain.isGone && end == nil)
  }
}
