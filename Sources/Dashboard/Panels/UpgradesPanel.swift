import Screen
import Subscriptions

/// The upgrades panel: changes of product, and the credit for unused parts of replaced periods.
extension PanelContent {
  var upgradesPanel: [Block?] {
    [
      chart(
        "Immediate plan changes", ["upgrade", "crossgrade", "unranked"].map { "immediate.\($0)" }, .columns,
        .good),
      chart("Upgrade credit", amount: "prorated_refund", .columns),
      bars(
        "Plan changes \(window)", 42, hasShares: false,
        [
          ("immediate upgrade", "immediate.upgrade", .good),
          ("immediate crossgrade", "immediate.crossgrade", .info),
          ("immediate, unranked", "immediate.unranked", .dim),
          ("downgrade at renewal", "at_renewal.downgrade", .warn),
          ("crossgrade at renewal", "at_renewal.crossgrade", .info),
          ("at renewal, unranked", "at_renewal.unranked", .dim), ("pending \(now)", "pending", .accent),
        ]),
      card("Upgrade credit", 36) {
        money(
          "Upgrade credit", "prorated_refund", of: figures["confirmed"] + figures["estimated"], trend: true)
        part("dated by Apple", "confirmed")
        part("dated by next purchase", "estimated")
        part("unpriced", "unpriced", .warn)
        part("undated (excluded)", "undated", .warn)
      }, list,
    ]
  }

  private var list: Block {
    Block(
      "Replaced periods, newest first", figures.upgrades,
      [
        .minute(.whole("When"), in: formatter) { $0.upgradedAtMs },
        .product("From", in: formatter, least: 14, priority: 0) { $0.fromProductId },
        .product("To", in: formatter, least: 14) { $0.toProductId },
        Column(.whole("Kind", priority: 5)) { StyledText($0.kind.rawValue, $0.kind.style) },
        Column(.number("Price", priority: 4)) { .money($0.priceMicros, $0.currency, unknown: "unpriced") },
        Column(.number("Upgrade credit").named("given_back")) {
          .money($0.proratedRefundMicros, $0.currency, unknown: "unknown")
        },
        Column(.whole("Dated", priority: 3)) {
          StyledText($0.confirmed ? "confirmed" : "estimated", $0.confirmed ? .text : .dim)
        },
        .chain(priority: 6) { $0.originalTransactionId },
        .storefront(priority: 7) { $0.storefront },
      ], total: figures.upgradesAtOnce, emptyText: "No replaced periods.", span: .main,
      minimumColumns: 70, records: .upgrades(figures.upgrades), in: glyphs
    ) {
      Listing.Row(
        id: "\($0.originalTransactionId) \($0.transactionId)", drillDown: .chain($0.originalTransactionId))
    }
  }
}

extension FigureValues {
  public var upgradesAtOnce: Int {
    self["immediate.upgrade"] + self["immediate.crossgrade"] + self["immediate.unranked"]
  }
}

extension ChangeDirection {
  fileprivate var style: Style {
    switch self {
    case .upgrade: .good
    case .downgrade: .warn
    case .crossgrade: .info
    case .unranked: .dim
    }
  }
}
