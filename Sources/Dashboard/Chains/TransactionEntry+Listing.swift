import Screen
import Subscriptions

extension [TransactionEntry] {
  /// Returns the list of a line's periods, newest first, from an array that is sorted oldest first.
  ///
  /// Dates and times are separate columns, so that narrow screens keep the dates.
  func listing(at now: Instant, in formatter: DisplayFormatter) -> Listing {
    let glyphs = formatter.glyphs
    let origins = origins(in: formatter)
    let isSigned = contains { $0.signedAtMs != nil }
    // If only some rows are signed, the column that identifies them is more important.
    let isMixed = isSigned && contains { $0.signedAtMs == nil }
    let columns: [Column<TransactionEntry>] = [
      Column(.whole("Kind"), code: { $0.kind }) { .kind($0.kind) },
      .product(in: formatter, priority: 0) { $0.productId },
      Column(.whole("Purchase")) { StyledText(formatter.date($0.purchaseMs)) },
      Column(.whole("at", priority: 6).named("purchase_time")) {
        StyledText(formatter.clock($0.purchaseMs), .dim)
      }, Column(.whole("Expires")) { StyledText($0.expiresMs.map(formatter.date) ?? glyphs.dash) },
      Column(.whole("at", priority: 6).named("expiry_time")) {
        StyledText($0.expiresMs.map(formatter.clock) ?? "", .dim)
      },
      Column(.whole("Ended early", priority: 7)) { row in
        guard let end = row.effectiveEndMs, let expires = row.expiresMs, end < expires else {
          return nil
        }
        return StyledText(formatter.minute(end), .warn)
      }, Column(.whole("Status", priority: 1)) { $0.mark(at: now, in: glyphs) },
      Column(.number("Price", priority: 2)) { .money($0.priceMicros, $0.currency, unknown: "unpriced") },
      Column(.name("How it started", least: 14, most: 36, priority: 4).named("came_about")) {
        StyledText(origins[$0.transactionId] ?? "")
      },
      Column(.number("Fee", priority: 9).named("apples")) {
        $0.commissionPercent.map { StyledText("\($0) %", .dim) }
      },
      Column(.number("Proceeds", priority: 5)) {
        .money($0.proceedsMicros, $0.currency, unknown: glyphs.dash)
      },
      Column(.name("Transaction", least: 15, most: 40, priority: 8)) { row in
        let also = row.alsoTransactionIds.map(\.rawValue).joined(separator: ", ")
        return StyledText(row.transactionId.rawValue + (also.isEmpty ? "" : " = \(also)"), .dim)
      },
      Column(.whole("Priced by", priority: 3).present(isSigned)) {
        .priceSource($0.priceSource)
      }.leftOutIfAlike(),
      .storefront(priority: 3) { $0.storefront }.leftOutIfAlike(),
      Column(.whole("Signed", priority: isMixed ? 2 : 5).present(isSigned)) {
        $0.signedAtMs == nil ? StyledText("no", .warn) : StyledText(glyphs.tick, .good)
      },
    ]
    return Listing(reversed(), columns, emptyText: "", in: glyphs) {
      Listing.Row(id: $0.transactionId.rawValue, drillDown: .transaction($0.transactionId))
    }
  }

  func oneTimeListing(in formatter: DisplayFormatter) -> Listing {
    let glyphs = formatter.glyphs
    return Listing(
      self,
      [
        .minute(.whole("Purchase"), in: formatter) { $0.purchaseMs },
        .product(in: formatter, priority: 0) { $0.productId },
        Column(.number("Quantity", priority: 2)) { StyledText("\($0.quantity)") },
        Column(.whole("Status", priority: 1)) { row in
          row.takenBack(in: glyphs).map {
            $0 + StyledText(" \(row.cancellationMs.map(formatter.minute) ?? "")", .bad)
          }
        },
        Column(.name("Transaction", least: 15, most: 40, priority: 3)) {
          StyledText($0.transactionId.rawValue, .dim)
        },
      ], emptyText: "", in: glyphs
    ) { Listing.Row(id: $0.transactionId.rawValue, drillDown: .transaction($0.transactionId)) }
  }

  /// Number of signed rows and the sources of prices; `nil` if no row is signed.
  var signed: StyledText? {
    let signed = count { $0.signedAtMs != nil }
    guard signed > 0 else { return nil }
    let apples = count { $0.priceSource == .signed }
    let catalogues = count { $0.priceSource == .catalogue }
    let rest = count - apples - catalogues
    return [
      TextSpan(
        "\(CountText.of(signed)) of \(CountText.of(count, "row"))",
        signed == count ? .text : .warn),
      TextSpan(
        "; prices: \(CountText.of(apples)) from Apple, \(CountText.of(catalogues)) from the catalogue"
          + (rest > 0 ? ", \(CountText.of(rest)) unknown" : "")),
    ]
  }
}

extension TransactionEntry {
  fileprivate func takenBack(in glyphs: GlyphSet) -> StyledText? {
    guard cancellationMs != nil, !upgraded else { return nil }
    let word = !refunded ? "revoked" : partialRefundMicros == nil ? "refunded" : "refunded in part"
    return StyledText("\(glyphs.cross) \(word)", .bad)
  }

  fileprivate func mark(at now: Instant, in glyphs: GlyphSet) -> StyledText {
    if upgraded { return StyledText("\(glyphs.up) upgraded", .warn) }
    if let takenBack = takenBack(in: glyphs) { return takenBack }
    if purchaseMs > now { return StyledText("not started", .info) }
    guard let expiresMs else { return StyledText("") }
    return expiresMs > now ? StyledText("\(glyphs.tick) running", .good) : StyledText("ended", .dim)
  }
}

extension [TransactionEntry] {
  /// Returns the origin of each transaction in words: first purchase, renewal, return or change of product.
  func origins(in formatter: DisplayFormatter) -> [TransactionID: String] {
    var origins: [TransactionID: String] = [:]
    var end: Instant?
    var last: TransactionEntry?
    for row in self {
      let replaced = first { $0.successorTransactionId == row.transactionId }
      origins[row.transactionId] = row.origin(after: last, ended: end, replacing: replaced, in: formatter)
      end = Swift.max(end ?? row.purchaseMs, row.effectiveEndMs ?? row.purchaseMs)
      last = row
    }
    return origins
  }
}

extension TransactionEntry {
  fileprivate func origin(
    after last: Self?, ended end: Instant?, replacing replaced: Self?, in formatter: DisplayFormatter
  ) -> String {
    if let from = replaced?.productId ?? changedFromProductId {
      let direction = (replaced == nil ? changeDirection : replaced?.upgradeDirection) ?? .unranked
      let change = direction == .unranked ? "changed" : direction.rawValue
      return "\(change) from \(formatter.products.name(of: from))"
    }
    let gap = AgeText.of(Swift.max(0, purchaseMs - (end ?? purchaseMs)))
    switch arrival {
    case .initial?: return "first purchase"
    case .renewal?: return last?.kind == "trial" && kind != "trial" ? "trial converted" : "renewed"
    case .recovery?: return "recovered after \(gap)"
    case .unattributed?: return "returned after \(gap)"
    case .reactivation?: return "resubscribed after \(gap)"
    case nil: return ""
    }
  }
}

extension [ServerNotification] {
  func listing(in formatter: DisplayFormatter) -> Listing {
    Listing(
      reversed(),
      [
        .minute(.whole("Sent"), in: formatter) { $0.observedAt },
        Column(.name("Type", least: 16, most: 40)) { StyledText($0.type.rawValue) },
        .product(in: formatter, priority: 2) { $0.productID },
        Column(.name("Details", priority: 1).named("says")) { StyledText($0.words(in: formatter)) },
        Column(.name("Transaction", least: 15, most: 40, priority: 3)) {
          StyledText($0.transactionID?.rawValue ?? formatter.glyphs.dash, .dim)
        }, Column(.whole("Delivery", priority: 2)) { $0.delivery(in: formatter) }.optional(),
      ], emptyText: "", in: formatter.glyphs
    ) { Listing.Row(id: "\($0.observedAt) \($0.type.rawValue)") }
  }
}

extension ServerNotification {
  fileprivate func delivery(in formatter: DisplayFormatter) -> StyledText? {
    guard let last = sendAttempts.last else { return nil }
    let attempts = sendAttempts.count == 1 ? "" : ", attempt \(sendAttempts.count)"
    return last.succeeded
      ? StyledText("\(formatter.glyphs.tick) \(formatter.minute(last.atMs))\(attempts)", .good)
      : StyledText("\(formatter.glyphs.cross) \(last.result)\(attempts)", .bad)
  }

  fileprivate func words(in formatter: DisplayFormatter) -> String {
    var words: [String] = []
    if let autoRenewStatus {
      let since = autoRenewStatusChangeDate.map { " since \(formatter.minute($0))" } ?? ""
      words.append("auto-renew \(autoRenewStatus ? "on" : "off")\(since)")
    }
    if let autoRenewProductID, autoRenewProductID != productID {
      words.append("next \(formatter.products.name(of: autoRenewProductID))")
    }
    if let cancellationDate { words.append("cancelled \(formatter.minute(cancellationDate))") }
    return words.isEmpty ? formatter.glyphs.dash : words.joined(separator: ", ")
  }
}
