import Screen
import Subscriptions

/// Blocks of one line of a chain: verdict, timeline, transactions, renewal info and events.
struct LineBlocks {
  let line: LineEntry
  /// Name that distinguishes the line from the chain's other lines; `nil` if it is the only one.
  let name: String?
  /// Rows about the chain's owner, shown with the verdict; empty if the chain has several lines.
  let owner: [StyledText]
  let now: Instant
  let formatter: DisplayFormatter

  private var glyphs: GlyphSet { formatter.glyphs }

  var blocks: [Block] {
    var blocks = [verdict]
    if !line.transactions.isEmpty { blocks += [timeline, transactions].compactMap(\.self) }
    let notes = line.transactions.notes(in: formatter)
    if !notes.isEmpty { blocks.append(block("Refunds, upgrades, returns and changes", .text(notes))) }
    blocks.append(block("Renewal info, as it changed", .listing(renewals)))
    if !line.events.isEmpty {
      let listing = line.events.listing(emptyText: "", showsChain: false, in: formatter)
      blocks.append(block("Events", .listing(listing)))
    }
    return blocks
  }

  private func block(_ title: String, _ body: Block.Body, span: Block.Span = .card) -> Block {
    let title = name.map { "\(title) \(glyphs.separator) \($0)" } ?? title
    return Block(StyledText(title), body, span: span, minimumColumns: 80)
  }

  // MARK: Verdict

  private var verdict: Block {
    var rows: [StyledText] = [
      [TextSpan(line.state.mark(in: glyphs), line.state.style), TextSpan("  \(line.productId)", .strong)],
      StyledText(line.meaning(in: formatter)), Self.row("access", StyledText(access)),
      Self.row("why", [TextSpan("rule \(line.rule) of 7", .dim), TextSpan(": \(why)")]),
      Self.row("renewal", flags), Self.row("intro", line.introOffer(in: formatter)),
    ]
    let renews = line.autoRenew == true || line.nextRenewal?.productId != nil
    let isRunning = renews && line.accessUntilMs > now
    if let next = line.nextRenewal?.words(isRunning: isRunning, in: formatter) {
      rows.insert(Self.row("", next), at: rows.count - 1)
    }
    if let money = line.money(at: now) { rows.append(Self.row("money", money)) }
    if let signed = line.transactions.signed { rows.append(Self.row("signed", signed)) }
    return block("Verdict", .text(rows + owner, indent: Self.labelColumns), span: name == nil ? .card : .wide)
  }

  private static let labelColumns = 10

  static func row(_ label: String, _ text: StyledText) -> StyledText {
    [TextSpan(label + String(repeating: " ", count: labelColumns - label.count), .dim)] + text
  }

  /// Reason without the state, which is shown above.
  private var why: String {
    let prefix = "\(line.state.rawValue): "
    return ReasonWords(line.why.hasPrefix(prefix) ? String(line.why.dropFirst(prefix.count)) : line.why).text
  }

  private var access: String {
    let end = "\(formatter.moment(line.accessUntilMs)), \(AgeText.ago(line.accessUntilMs, at: now))"
    if line.state == .overdue { return "paid until \(end); what came after is not known" }
    return line.accessUntilMs > now ? "until \(end)" : "ended \(end)"
  }

  private var flags: StyledText {
    var flags: [StyledText] = [
      [
        TextSpan("auto-renew ", .dim),
        TextSpan(line.autoRenew.map { $0 ? "on" : "off" } ?? "unknown", autoRenewStyle),
      ]
    ]
    if let intent = line.expirationIntent {
      flags.append([TextSpan("intent ", .dim), TextSpan("\(intent) \(ExpirationIntent(intent).words)")])
    }
    if line.changePending { flags.append(StyledText("changes product at the next renewal", .warn)) }
    if line.priceConsentPending {
      let isOver = line.state.isOut
      flags.append(
        StyledText(
          "price not agreed \(isOver ? "before it ended" : "yet")", isOver ? .dim : .warn))
    }
    if line.familyShared { flags.append(StyledText("family-shared, counted beside", .warn)) }
    if let group = line.subscriptionGroupId { flags.append(StyledText("group \(group)", .dim)) }
    return flags.joined(by: "  ")
  }

  private var autoRenewStyle: Style {
    switch line.autoRenew {
    case true?: .good
    case false?: .warn
    case nil: .dim
    }
  }

  // MARK: Time

  /// Timeline of the line's positions. A state that can still change is drawn up to now.
  private var timeline: Block? {
    let rows = Dictionary(line.transactions.map { ($0.transactionId, $0) }, uniquingKeysWith: { $1 })
    let spans = line.positions.compactMap { position in
      rows[position.transactionId].flatMap { TimelineChart.Span(position, of: $0, now: now) }
    }
    // If two spans share a cell, access hides other spans, and an upgrade mark hides both.
    let all =
      spans.filter { !$0.kind.isPeriod } + spans.filter(\.kind.isPeriod)
      + line.transactions.compactMap(\.upgradeMark)
    guard !all.isEmpty else { return nil }
    return block("Timeline", .timeline(TimelineChart(all, now: now, zone: formatter.zone)))
  }

  private var transactions: Block {
    let listing = line.transactions.listing(at: now, in: formatter)
    return block(CountText.of(line.transactions.count, "transaction"), .listing(listing))
  }

  // MARK: Renewal

  private var renewals: Listing {
    let pairs = zip([nil] + line.renewalInfos.map(Optional.some), line.renewalInfos)
    let rows = pairs.flatMap { old, new in
      new.changes(since: old, in: formatter).map { change in (new, change) }
    }
    .reversed().map { info, change in
      Listing.Row(
        id: "\(info.observedAtMs.rawValue) \(change.field)",
        [
          StyledText(formatter.minute(info.observedAtMs), .dim),
          StyledText(info.observedAfterMs.map(formatter.minute) ?? glyphs.dash, .dim),
          StyledText(change.field), StyledText(change.was, .dim), StyledText(change.now, .strong),
        ])
    }
    return Listing(
      [
        .whole("Seen"), .whole("Last seen without it", priority: 2), .whole("Field", most: 30),
        .name("Was", least: 10, priority: 1), .name("Is", least: 10),
      ], Array(rows), emptyText: "Apple gave none for this subscription.", in: glyphs)
  }
}

extension TimelineChart.Span {
  /// Creates the span of a position; `nil` if the position is drawn as a gap.
  init?(_ position: PositionEntry, of row: TransactionEntry, now: Instant) {
    let end = position.untilMs ?? .distantFuture
    let (kind, until): (TimelineChart.Kind, Instant) =
      switch position.state {
      case .trial, .active:
        (row.kind == "trial" ? .trial : row.kind == "standard" ? .paid : .offer, end)
      case .grace: (.grace, end)
      case .billingRetry: (.retry, min(end, now))
      case .overdue, .unattributed: (.unknown, min(end, now))
      // Part of the period that the refund cut off.
      case .revoked: (.refunded, min(end, row.expiresMs ?? end))
      case .expired: (.unknown, position.fromMs)
      }
    guard until > position.fromMs else { return nil }
    self.init(kind, from: position.fromMs, until: until)
  }
}

extension TransactionEntry {
  var upgradeMark: TimelineChart.Span? {
    upgradedAtMs.map { TimelineChart.Span(.upgraded, from: $0, until: $0) }
  }
}

/// Changed field of the renewal info, with its previous and new value.
struct RenewalChange: Hashable, Sendable {
  /// Apple's name of the field.
  var field: String
  var was: String
  var now: String
}

extension RenewalEntry {
  /// Returns the differences from the previous renewal info, or all fields of the first one.
  func changes(since old: Self?, in formatter: DisplayFormatter) -> [RenewalChange] {
    let glyphs = formatter.glyphs
    let before = old?.fields(in: formatter) ?? []
    return fields(in: formatter).enumerated().compactMap { index, field in
      let was = before.indices.contains(index) ? before[index].value : nil
      guard was != field.value else { return nil }
      return RenewalChange(field: field.name, was: was ?? glyphs.dash, now: field.value ?? glyphs.dash)
    }
  }

  private func fields(in formatter: DisplayFormatter) -> [(name: String, value: String?)] {
    let name = formatter.products.name
    return [
      ("product_id", info.productID.map(name)), ("auto_renew_product_id", info.autoRenewProductID.map(name)),
      ("auto_renew_status", info.autoRenewStatus.map { $0 ? "1 on" : "0 off" }),
      ("expiration_intent", info.expirationIntent.map { "\($0.rawValue) \($0.words)" }),
      ("is_in_billing_retry_period", info.isInBillingRetryPeriod.map { $0 ? "1 yes" : "0 no" }),
      ("grace_period_expires_date", info.gracePeriodExpiresDate.map(formatter.minute)),
      ("price_consent_status", info.priceConsentStatus),
      ("price_increase_status", info.priceIncreaseStatus),
      ("promotional_offer_id", info.promotionalOfferID), ("offer_code_ref_name", info.offerCodeRefName),
    ]
  }
}

extension NextRenewalEntry {
  /// Returns the signed terms of the next renewal; `nil` if they add nothing to other rows.
  func words(isRunning: Bool, in formatter: DisplayFormatter) -> StyledText? {
    var parts: [StyledText] = []
    if isRunning, let priceMicros, let currency {
      parts.append([
        TextSpan("renews for ", .dim), TextSpan(MoneyText.of(micros: priceMicros, currency), .money),
        TextSpan(" on \(formatter.date(renewalDateMs))", .dim),
      ])
    }
    if let commitment { parts.append(commitment.words(in: formatter)) }
    if !eligibleWinBackOfferIds.isEmpty {
      parts.append([
        TextSpan("may come back with ", .dim),
        TextSpan(eligibleWinBackOfferIds.joined(separator: ", "), .accent),
      ])
    }
    return parts.isEmpty ? nil : parts.joined(by: "  ")
  }
}

extension CommitmentRenewal {
  fileprivate func words(in formatter: DisplayFormatter) -> StyledText {
    let end = date.map { " ends on \(formatter.date($0))" } ?? ""
    let after =
      switch autoRenewStatus {
      case true?:
        autoRenewProductID.map { ", then renews as \(formatter.products.name(of: $0))" } ?? ", then renews"
      case false?: ", then it lapses"
      case nil: ""
      }
    return StyledText("the commitment\(end)\(after)")
  }
}

extension Commitment {
  /// *month 3 of 12 of a commitment until 2027-03-01*
  func words(in formatter: DisplayFormatter) -> StyledText {
    let number = billingPeriodNumber.map { "month \($0)" } ?? "a month"
    let total = totalBillingPeriods.map { " of \($0)" } ?? ""
    return StyledText(
      "\(number)\(total) of a commitment\(expires.map { " until \(formatter.date($0))" } ?? "")")
  }
}
