import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Hostile text") struct HostileTests {
  static let texts = [
    "\u{1B}[2J\u{1B}]0;owned\u{7}", "a\nb\r\tc", "\u{202E}gnp.exe", "\u{0}\u{7F}\u{9B}31m", "漢字漢字漢字漢字漢字漢字",
    String(repeating: "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}", count: 40), "👨‍👩‍👧‍👦🇩🇪", "",
    String(repeating: "W", count: 4000), "...", ".",
  ]

  private func report(_ text: String) -> (Question) -> Report {
    { question in
      let product = ProductID(text)
      var active = Sample.active
      active[parts: "by_product"][0][text: "product_id"] = text
      var retry = Sample.billingRetry
      retry.unpaid = [
        UnpaidEntry(
          originalTransactionId: OriginalTransactionID(text), appUserId: AppUserID(text), productId: product,
          expired: Instant.distantPast, at: Sample.now)
      ]
      let event = LineEvent(
        .renewal, apple: text, reason: text, environment: .production, chain: OriginalTransactionID(text),
        product: product,
        newProduct: product, effectiveAt: Sample.now, observedAt: Sample.now, observedAfter: .distantPast)
      let figures: FigureValues =
        switch question.panel {
        case .active: active
        case .billingRetry: retry
        case .events: Sample.events([event, event])
        default: Sample.figures(question.panel)
        }
      return Report(answering: question, trust: Sample.trust, data: figures)
    }
  }

  private func chain(_ text: String) -> ChainReport {
    var chain = Sample.story
    chain.appUserIds = [AppUserID(text)]
    chain.bundleId = BundleID(text)
    chain.oneTime[0].productId = ProductID(text)
    chain.notifications[0].type = NotificationType(text)
    chain.notifications[0].transactionID = TransactionID(text)
    chain.lines[0].subscriptionGroupId = SubscriptionGroupID(text)
    chain.lines[0].introOfferUsedBy = TransactionID(text)
    chain.lines[0].why = text
    for index in chain.lines[0].transactions.indices {
      chain.lines[0].transactions[index].productId = ProductID(text)
      chain.lines[0].transactions[index].offerCodeRefName = text
      chain.lines[0].transactions[index].cancellationReason = text
      chain.lines[0].transactions[index].currency = CurrencyCode(text)
      chain.lines[0].transactions[index].kind = text
    }
    return chain
  }

  /// Copied text must not contain commands if it is pasted into a shell.
  @Test("is copied as it is shown", arguments: texts)
  func copied(_ text: String) {
    var bench = Bench()
    bench.report = report(text)
    bench.chains = { _ in [chain(text)] }
    bench.send(.opened)
    for key in [
      "3", "y", "Y", "4", "y", "Y", "j", "y", "Y", "E", "j", "y", "Y", "enter", "y", "Y", "J", "y", "Y", "J",
      "y",
    ] {
      bench.press(key)
    }
    let copies = bench.effects.compactMap { if case .copy(let text, _) = $0 { text } else { nil } }
    #expect(copies.count >= 6)
    for copy in copies {
      // Line breaks in JSON and tickets, and tabs between cells, are added by the program.
      let isOfLines = copy.hasPrefix("{") || copy.hasPrefix("Customer: ")
      let foreign = copy.unicodeScalars.filter { $0 != (isOfLines ? "\n" : "\t") && $0.isCommanding }
      #expect(foreign.isEmpty, "\(foreign.map { String($0.value, radix: 16) })")
    }
    let cells = copies.first { $0.contains("\t") }?.split(separator: "\t", omittingEmptySubsequences: false)
    #expect((2...10).contains(cells?.count ?? 0), "a tab within a cell makes no cell of its own")
  }
}
