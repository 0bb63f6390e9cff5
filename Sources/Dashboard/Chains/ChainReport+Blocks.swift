import Screen
import Subscriptions

extension ChainReport {
  /// Returns the blocks of the chain, judged at an instant: verdicts first, then their evidence.
  func blocks(at now: Instant, in wording: Wording) -> [Block] {
    var blocks =
      lines.count == 1
      ? [] : [Block("Subscription history", .text(owner(at: now, in: wording), indent: 10), span: .wide)]
    for line in lines {
      let title = lines.count == 1 ? nil : line.subscriptionGroupId?.rawValue ?? "no group"
      let owner = lines.count == 1 ? owner(at: now, in: wording) : []
      blocks += LineBlocks(line: line, name: title, owner: owner, now: now, wording: wording).blocks
    }
    if !oneTime.isEmpty {
      blocks.append(Self.block("One-time purchases", oneTime.oneTimeListing(in: wording)))
    }
    if !events.isEmpty {
      let title = lines.isEmpty ? "Events" : "Events apart from the subscriptions"
      blocks.append(Self.block(title, events.listing(emptyText: "", showsChain: false, in: wording)))
    }
    if !notifications.isEmpty {
      blocks.append(Self.block("Notifications received", notifications.listing(in: wording)))
    }
    blocks.append(Self.block("Receipts that hold it", receipts.listing(at: now, in: wording)))
    return blocks
  }

  private static func block(_ title: String, _ listing: Listing) -> Block {
    Block(StyledText(title), .listing(listing), minimumColumns: Block.halfOfLarge)
  }

  private func owner(at now: Instant, in wording: Wording) -> [StyledText] {
    let users = appUserIds.isEmpty ? "none given" : appUserIds.map(\.rawValue).joined(separator: ", ")
    let known: StyledText =
      if let goneAtMs {
        [TextSpan("status 21010 on \(wording.moment(goneAtMs)): the account is gone", .bad)]
      } else if let validatedAtMs {
        [
          TextSpan("from Apple's answer of \(wording.moment(validatedAtMs)), "),
          TextSpan(AgeText.since(validatedAtMs, at: now)),
        ]
      } else {
        StyledText("Apple has not been asked yet", .warn)
      }
    let token = appAccountToken.map { "  account token \($0)" } ?? ""
    return [
      LineBlocks.row(
        "app user",
        [TextSpan(users), TextSpan(token, .dim)]
          + (bundleId.map { [TextSpan("  of ", .dim), TextSpan($0.rawValue)] } ?? [])),
      LineBlocks.row(
        "history",
        [
          TextSpan(originalTransactionId.rawValue),
          TextSpan("  \(environment.rawValue)", environment == .production ? .text : .warn),
        ]), LineBlocks.row("known", known),
    ]
  }
}

extension [ReceiptEntry] {
  fileprivate func listing(at now: Instant, in wording: Wording) -> Listing {
    let glyphs = wording.glyphs
    let rows = map { receipt in
      Listing.Row(
        id: receipt.id.description,
        [
          StyledText(receipt.id.description), StyledText(receipt.environment?.rawValue ?? "unknown"),
          receipt.lastValidatedAtMs.map { StyledText(AgeText.since($0, at: now)) }
            ?? StyledText("never", .dim),
          StyledText(
            receipt.lastStatus.map { "\($0)" } ?? glyphs.dash, receipt.lastStatus == 0 ? .good : .text),
          receipt.nextDueAtMs.map {
            StyledText(wording.isOfPast ? wording.minute($0) : AgeText.ago($0, at: now))
          }
            ?? receipt.never,
          StyledText(receipt.bundleId?.rawValue ?? glyphs.dash, .dim),
        ])
    }
    return Listing(
      [
        .number("Receipt"), .whole("Environment"), .whole("Validated"), .whole("Status"), .whole("Next due"),
        .name("App", priority: 1),
      ], rows, emptyText: "No receipt of the store holds it any more.", in: glyphs)
  }
}

extension ReceiptEntry {
  fileprivate var never: StyledText {
    neverDueBecause == Self.nothingToAskWith
      ? StyledText("never: \(Self.nothingToAskWith)", .warn) : StyledText("never again", .dim)
  }
}

extension [ChainReport] {
  /// Returns the list of chains, for an id that matches several.
  func listBlock(of id: String, at now: Instant, in wording: Wording) -> Block {
    let glyphs = wording.glyphs
    let rows = enumerated().map { index, chain in
      let first = chain.lines.first
      return Listing.Row(
        id: "\(chain.originalTransactionId) \(chain.environment.rawValue)",
        [
          StyledText(chain.originalTransactionId.rawValue),
          first.map { StyledText($0.state.mark(in: glyphs), $0.state.style) } ?? StyledText("one-time", .dim),
          StyledText(
            (first?.productId ?? chain.oneTime.first?.productId).map(wording.products.name(of:))
              ?? glyphs.dash),
          first.map { StyledText(AgeText.ago($0.accessUntilMs, at: now), .dim) }
            ?? .dash(in: glyphs),
          StyledText(chain.environment.rawValue, chain.environment == .production ? .text : .warn),
          StyledText(chain.appUserIds.map(\.rawValue).joined(separator: ", ")),
        ], opening: .found(index))
    }
    return Block(
      StyledText("\(CountText.of(count, "subscription history", "subscription histories")) for \(id)"),
      .listing(
        Listing(
          [
            .whole("Subscription").named("chain"), .whole("State").meaning(LineState.codes(in: glyphs)),
            .product(of: wording.products),
            .whole("Access ends", priority: 2), .whole("Environment", priority: 4),
            .id("App user", priority: 3),
          ], rows, emptyText: "", in: glyphs)), span: .main)
  }
}

extension LineState {
  /// JSON codes of the states, by the words that lists show.
  static func codes(in glyphs: GlyphSet) -> [String: String] {
    Dictionary(allCases.map { ($0.mark(in: glyphs), $0.rawValue) }, uniquingKeysWith: { one, _ in one })
  }

  /// State in words, with a mark that does not depend on color.
  func mark(in glyphs: GlyphSet) -> String {
    switch self {
    case .trial: "\(glyphs.tick) trial"
    case .active: "\(glyphs.tick) active"
    case .overdue: "? not confirmed yet"
    case .grace: "\(glyphs.warning) grace"
    case .billingRetry: "\(glyphs.cross) billing retry"
    case .unattributed: "? unattributed"
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
