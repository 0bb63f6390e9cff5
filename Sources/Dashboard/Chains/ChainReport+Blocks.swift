import Screen
import Subscriptions

extension ChainReport {
  /// Returns the blocks of each line, with its verdict and evidence, and then the other blocks of the chain.
  ///
  /// Unless the chain has exactly one line, a block about its owner comes first.
  func blocks(at now: Instant, in formatter: DisplayFormatter) -> [Block] {
    var blocks =
      lines.count == 1
      ? [] : [Block("Subscription history", .text(owner(at: now, in: formatter), indent: 10), span: .wide)]
    for line in lines {
      let title = lines.count == 1 ? nil : line.subscriptionGroupId?.rawValue ?? "no group"
      let owner = lines.count == 1 ? owner(at: now, in: formatter) : []
      blocks += LineBlocks(line: line, name: title, owner: owner, now: now, formatter: formatter).blocks
    }
    if !oneTime.isEmpty {
      blocks.append(Self.block("One-time purchases", oneTime.oneTimeListing(in: formatter)))
    }
    if !events.isEmpty {
      let title = lines.isEmpty ? "Events" : "Other events"
      blocks.append(Self.block(title, events.listing(emptyText: "", showsChain: false, in: formatter)))
    }
    if !notifications.isEmpty {
      blocks.append(Self.block("Notifications received", notifications.listing(in: formatter)))
    }
    blocks.append(Self.block("Receipts with this history", receipts.listing(at: now, in: formatter)))
    return blocks
  }

  private static func block(_ title: String, _ listing: Listing) -> Block {
    Block(StyledText(title), .listing(listing), minimumColumns: 80)
  }

  private func owner(at now: Instant, in formatter: DisplayFormatter) -> [StyledText] {
    let users = appUserIds.isEmpty ? "none known" : appUserIds.map(\.rawValue).joined(separator: ", ")
    let known: StyledText =
      if let goneAtMs {
        [TextSpan("status 21010 on \(formatter.moment(goneAtMs)): the account is gone", .bad)]
      } else if let validatedAtMs {
        [
          TextSpan("last checked \(formatter.moment(validatedAtMs)) "),
          TextSpan("(\(AgeText.since(validatedAtMs, at: now)))"),
        ]
      } else {
        StyledText("not checked yet", .warn)
      }
    let token = appAccountToken.map { "  account token \($0)" } ?? ""
    return [
      LineBlocks.row(
        "app user",
        [TextSpan(users), TextSpan(token, .dim)]
          + (bundleId.map { [TextSpan("  of ", .dim), TextSpan($0.rawValue)] } ?? [])),
      LineBlocks.row(
        "history",
        StyledText("\(originalTransactionId)  ") + .environment(environment)),
      LineBlocks.row("Apple", known),
    ]
  }
}

extension [ReceiptEntry] {
  fileprivate func listing(at now: Instant, in formatter: DisplayFormatter) -> Listing {
    let glyphs = formatter.glyphs
    return Listing(
      self,
      [
        Column(.number("Receipt")) { StyledText($0.id.description) },
        Column(.whole("Environment")) { StyledText($0.environment?.rawValue ?? "unknown") },
        Column(.whole("Validated")) { receipt in
          receipt.lastValidatedAtMs.map { StyledText(AgeText.since($0, at: now)) }
            ?? StyledText("never", .dim)
        },
        Column(.whole("Status")) {
          StyledText($0.lastStatus.map { "\($0)" } ?? glyphs.dash, $0.lastStatus == 0 ? .good : .text)
        },
        Column(.whole("Next due")) { receipt in
          if let due = receipt.nextDueAtMs {
            return StyledText(formatter.isOfPast ? formatter.minute(due) : AgeText.ago(due, at: now))
          }
          let isUnaskable = receipt.neverDueBecause == ReceiptEntry.nothingToAskWith
          return isUnaskable
            ? StyledText("never: \(ReceiptEntry.nothingToAskWith)", .warn) : StyledText("never again", .dim)
        }, Column(.name("App", priority: 1)) { StyledText($0.bundleId?.rawValue ?? glyphs.dash, .dim) },
      ], emptyText: "No receipt in the store contains this history.", in: glyphs
    ) { Listing.Row(id: $0.id.description) }
  }
}

extension [ChainReport] {
  func listBlock(of id: String, at now: Instant, in formatter: DisplayFormatter) -> Block {
    let glyphs = formatter.glyphs
    return Block(
      StyledText("\(CountText.of(count, "subscription history", "subscription histories")) for \(id)"),
      enumerated().map { (index: $0, chain: $1) },
      [
        .chain { $0.chain.originalTransactionId },
        Column(.whole("State"), code: { $0.chain.lines.first?.state.rawValue }) { found in
          found.chain.lines.first.map { StyledText($0.state.mark(in: glyphs), $0.state.style) }
            ?? StyledText("one-time", .dim)
        },
        .product(in: formatter) { $0.chain.lines.first?.productId ?? $0.chain.oneTime.first?.productId },
        Column(.whole("Access ends", priority: 2)) {
          $0.chain.lines.first.map { StyledText(AgeText.ago($0.accessUntilMs, at: now), .dim) }
        },
        Column(.whole("Environment", priority: 4)) { .environment($0.chain.environment) },
        Column(.id("App user", priority: 3)) {
          StyledText($0.chain.appUserIds.map(\.rawValue).joined(separator: ", "))
        },
      ], emptyText: "", span: .main, in: glyphs
    ) {
      Listing.Row(
        id: "\($0.chain.originalTransactionId) \($0.chain.environment.rawValue)", drillDown: .found($0.index))
    }
  }
}

extension LineState {
  /// Returns the state in words, with a mark that does not depend on colour.
  func mark(in glyphs: GlyphSet) -> String {
    switch self {
    case .trial: "\(glyphs.tick) trial"
    case .active: "\(glyphs.tick) active"
    case .overdue: "? unverified"
    case .grace: "\(glyphs.warning) grace"
    case .billingRetry: "\(glyphs.cross) billing retry"
    case .unattributed: "? lapsed (cause unknown)"
    case .revoked: "\(glyphs.cross) revoked"
    case .expired: "\(glyphs.cross) expired"
    }
  }

  var style: Style {
    switch self {
    case .trial, .active: Style(.good, .bold)
    case .overdue, .unattributed, .grace: Style(.warn, .bold)
    case .billingRetry, .revoked: Style(.bad, .bold)
    case .expired: Style(.dim, .bold)
    }
  }
}

extension ChainReport {
  /// Returns the known fields of the chain, or of `transaction`, with the newest records of each kind first.
  func evidence(of transaction: TransactionID? = nil, in formatter: DisplayFormatter) -> Block {
    let own = (lines.flatMap(\.transactions) + oneTime).first { $0.transactionId == transaction }
    let sections = own.map { [("transaction", Fields(of: $0))] } ?? sections
    let fields = sections.flatMap { name, fields in
      let currency = fields["currency"].map { CurrencyCode($0) }
      return fields.all.map { field in
        (
          of: name, path: field.path, value: field.value,
          meaning: field.readable(currency, in: formatter)
        )
      }
    }
    return Block(
      StyledText(
        own.map { "All stored fields of transaction \($0.transactionId)" }
          ?? "All known fields, newest records first"), fields,
      [
        // Long names and values are cut before the column of meanings is hidden.
        Column(.name("Record", least: 12, cut: .middle).named("of")) { StyledText($0.of, .dim) },
        Column(.name("Field", least: 23, cut: .middle)) { StyledText($0.path) },
        Column(.id("Value", most: 80)) { StyledText($0.value, .strong) },
        Column(.name("Meaning", most: 24, priority: 1).named("reads_as")) { StyledText($0.meaning) },
      ], emptyText: "", span: .main, in: formatter.glyphs
    ) { Listing.Row(id: "\($0.of) \($0.path)", note: "\($0.of): \($0.path) \($0.value)") }
  }

  private var sections: [(String, Fields)] {
    var sections: [(String, Fields)] = []
    func add(_ name: String, _ values: some Sequence<some Encodable>, without left: Set<String> = []) {
      for (place, value) in values.enumerated() {
        sections.append(("\(name) \(place + 1)", Fields(of: value, without: left)))
      }
    }
    let lists: Set = [
      "validations", "receipts", "lines", "one_time", "notifications", "events", "transactions",
      "positions", "renewal_infos",
    ]
    sections.append(("history", Fields(of: self, without: lists)))
    add("receipt", receipts)
    add("subscription", lines, without: lists)
    add("transaction", lines.flatMap(\.transactions).sorted { $0.purchaseMs > $1.purchaseMs })
    add("renewal", lines.flatMap(\.renewalInfos).sorted { $0.observedAtMs > $1.observedAtMs })
    add("one-time", oneTime.sorted { $0.purchaseMs > $1.purchaseMs })
    add("notification", notifications.reversed())
    add("answer", validations.reversed())
    return sections
  }
}

extension Fields.Field {
  private var name: String { path.split(separator: ".").last.map(String.init) ?? path }

  /// Returns a readable form of the value; empty if the value itself is readable.
  fileprivate func readable(_ currency: CurrencyCode?, in formatter: DisplayFormatter) -> String {
    if name.hasSuffix("_ms"), let number = Int64(value) {
      return formatter.minute(Instant(milliseconds: number))
    }
    if name.hasSuffix("_micros"), let micros = Int128(value), let currency {
      return MoneyText.of(micros: micros, currency)
    }
    switch (name, value) {
    case ("expiration_intent", _): return ExpirationIntent(value).words
    case ("cancellation_reason", "0"): return "other reason"
    case ("cancellation_reason", "1"): return "issue with the app"
    case ("price_consent_status", "0"), ("price_increase_status", "0"): return "price increase pending"
    case ("price_consent_status", "1"), ("price_increase_status", "1"): return "price increase accepted"
    case ("last_status", "0"): return "valid"
    case ("rule", _):
      let states = LineState.allCases.filter { "\($0.rule)" == value }
      return states.map { $0.rawValue.replacing("_", with: " ") }.joined(separator: ", ")
    default: return ""
    }
  }
}

extension ChainReport {
  /// Returns plain text with full ids for a support ticket: the customer, then each subscription.
  func ticket(in formatter: DisplayFormatter) -> String {
    var formatter = formatter
    formatter.products = .whole
    let users = appUserIds.isEmpty ? "no app user known" : appUserIds.map(\.rawValue).joined(separator: ", ")
    let token = appAccountToken.map { ", account token \($0)" } ?? ""
    let app = bundleId.map { " of \($0)" } ?? ""
    let who =
      "Customer: \(users)\(token)\(app), original transaction id \(originalTransactionId), \(environment.rawValue)"
    let what = lines.flatMap { $0.ticket(in: formatter) }
    return ([who] + (what.isEmpty ? ["Subscription: none, only one-time purchases"] : what)).map(\.harmless)
      .joined(separator: "\n")
  }
}

extension LineEntry {
  fileprivate func ticket(in formatter: DisplayFormatter) -> [String] {
    let since = transactions.first.map { "since \(formatter.moment($0.purchaseMs)), " } ?? ""
    let last = events.first.map { event in
      let transaction = event.transactionID.map { ", transaction \($0)" } ?? ""
      return "\(event.type.rawValue) on \(formatter.moment(event.effectiveAt))\(transaction)"
    }
    return [
      "Subscription: \(productId), \(state.mark(in: .ascii).drop { !$0.isLetter })",
      "Time: \(since)access until \(formatter.moment(accessUntilMs))",
      "Last event: \(last ?? "none known")",
      "Conclusion: \(meaning(in: formatter)) Why: \(why.without(state))",
    ]
  }
}
