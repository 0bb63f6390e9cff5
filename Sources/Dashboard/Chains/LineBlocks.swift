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
    blocks.append(block("Changes of renewal info", .listing(renewals)))
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
      Self.row("why", StyledText(ReasonWords(line.why, without: line.state).text)),
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

  private var access: String {
    let end = "\(formatter.moment(line.accessUntilMs)), \(AgeText.ago(line.accessUntilMs, at: now))"
    if line.state == .overdue { return "paid until \(end); not checked since then" }
    return line.accessUntilMs > now ? "until \(end)" : "ended \(end)"
  }

  private var flags: StyledText {
    let autoRenew = line.autoRenew.map { $0 ? TextSpan("on", .good) : TextSpan("off", .warn) }
    var flags: [StyledText] = [[TextSpan("auto-renew ", .dim), autoRenew ?? TextSpan("unknown", .dim)]]
    if let intent = line.expirationIntent {
      flags.append([TextSpan("intent ", .dim), TextSpan("\(intent) \(ExpirationIntent(intent).words)")])
    }
    if line.changePending { flags.append(StyledText("changes product at the next renewal", .warn)) }
    if line.priceConsentPending {
      flags.append(
        line.state.isOut
          ? StyledText("expired without consent", .dim) : StyledText("price increase pending", .warn))
    }
    if line.familyShared { flags.append(StyledText("family-shared, counted separately", .warn)) }
    if let group = line.subscriptionGroupId { flags.append(StyledText("group \(group)", .dim)) }
    return flags.joined(by: "  ")
  }

  // MARK: Time

  /// Chart of the line's states over time, with billing retry and unknown states drawn up to `now` at most.
  private var timeline: Block? {
    let rows = Dictionary(line.transactions.map { ($0.transactionId, $0) }, uniquingKeysWith: { $1 })
    let spans = line.positions.compactMap { position in
      rows[position.transactionId].flatMap { TimelineChart.Span(position, of: $0, now: now) }
    }
    // Later elements are drawn over earlier ones, so that a short retry, grace or refund stays visible.
    let all =
      spans.filter { $0.kind == .unknown } + spans.filter(\.kind.isPeriod)
      + spans.filter { !$0.kind.isPeriod && $0.kind != .unknown }
      + line.events.compactMap(TimelineChart.Span.init)
      + line.transactions.compactMap(\.upgradedAtMs).map { .init(kind: .upgraded, from: $0, until: $0) }
    guard !all.isEmpty else { return nil }
    return block("Timeline", .timeline(TimelineChart(spans: all, now: now, zone: formatter.zone)))
  }

  private var transactions: Block {
    let listing = line.transactions.listing(at: now, in: formatter)
    return block(CountText.of(line.transactions.count, "transaction"), .listing(listing))
  }

  // MARK: Renewal

  private var renewals: Listing {
    typealias Change = (info: RenewalEntry, field: String, was: String?, now: String?)
    let pairs = zip([nil] + line.renewalInfos.map(Optional.some), line.renewalInfos)
    let changes = pairs.flatMap { old, new -> [Change] in
      let before = old?.fields(in: formatter)
      return new.fields(in: formatter).enumerated().compactMap { place, field in
        let was = before?[place].value
        return was == field.value ? nil : (new, field.name, was, field.value)
      }
    }
    let columns: [Column<Change>] = [
      .minute(.whole("Changed before").named("seen"), in: formatter) { $0.info.observedAtMs },
      .minute(.whole("Changed after", priority: 2).named("last_seen_without_it"), in: formatter) {
        $0.info.observedAfterMs
      },
      Column(.whole("Field", most: 30)) { StyledText($0.field) },
      Column(.name("Was", least: 10, priority: 1)) { StyledText($0.was ?? glyphs.dash, .dim) },
      Column(.name("Is", least: 10)) { StyledText($0.now ?? glyphs.dash, .strong) },
    ]
    return Listing(
      changes.reversed(), columns, emptyText: "Apple sent none for this subscription.", in: glyphs
    ) { Listing.Row(id: "\($0.info.observedAtMs.rawValue) \($0.field)") }
  }
}

extension TimelineChart.Span {
  /// Creates the mark of a refund or revocation, or of a failed renewal observed only after its date.
  ///
  /// The result is `nil` for other events. The failure needs a mark, because no span of a state shows it if
  /// the next period began before the failure was observed.
  init?(_ event: LineEvent) {
    let isFailure = event.type == .billingIssue && event.effectiveAt < event.observedAt
    guard event.takesBack || isFailure else { return nil }
    let failure = event.appleName.subtype == "GRACE_PERIOD" ? TimelineChart.Kind.grace : .retry
    self.init(kind: isFailure ? failure : .refunded, from: event.effectiveAt, until: event.effectiveAt)
  }

  /// Creates the span of a line's state; `nil` if the state is drawn as a gap, or the span is empty.
  init?(_ position: PositionEntry, of row: TransactionEntry, now: Instant) {
    let end = position.untilMs ?? .distantFuture
    let (kind, until): (TimelineChart.Kind, Instant) =
      switch position.state {
      case .trial, .active:
        (row.kind == "trial" ? .trial : row.kind == "standard" ? .paid : .offer, end)
      case .grace: (.grace, end)
      case .billingRetry: (.retry, min(end, now))
      case .overdue, .unattributed: (.unknown, min(end, now))
      case .revoked: (.refunded, min(end, row.expiresMs ?? end))
      case .expired: (.unknown, position.fromMs)
      }
    guard until > position.fromMs else { return nil }
    self.init(kind: kind, from: position.fromMs, until: until)
  }
}

extension RenewalEntry {
  fileprivate func fields(in formatter: DisplayFormatter) -> [(name: String, value: String?)] {
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
  /// Returns the signed terms of the next renewal, the price only if `isRunning`; `nil` if there are none.
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
        TextSpan("eligible for win-back ", .dim),
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
  /// Returns words such as `month 3 of 12 of a commitment until 2027-03-01`.
  func words(in formatter: DisplayFormatter) -> StyledText {
    let number = billingPeriodNumber.map { "month \($0)" } ?? "a month"
    let total = totalBillingPeriods.map { " of \($0)" } ?? ""
    return StyledText(
      "\(number)\(total) of a commitment\(expires.map { " until \(formatter.date($0))" } ?? "")")
  }
}
