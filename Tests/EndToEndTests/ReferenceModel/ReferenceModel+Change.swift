extension ReferenceModel {
  struct Amount: Equatable, Sendable {
    var currency: String
    var micros: Int
  }

  /// Change of a line's position (METRICS §5).
  struct Change: Sendable {
    var at: Int
    /// `nil` before the first purchase.
    var old: Position?
    var new: Position
    var wasPaid: Bool

    var isWithinASet: Bool { old?.set == new.set }

    var flow: String? {
      let (from, to) = (old?.set ?? "none", new.set)
      let isOfTrial = old?.row.isTrial == true
      if to == "paid" && !wasPaid && ["trial", "retry", "unattributed", "out"].contains(from) {
        return "converted"
      }
      return switch (from, to) {
      case ("paid", "paid"): nameWithinPaid
      case ("none", "trial"), ("retry", "trial"), ("unattributed", "trial"), ("out", "trial"): "trial_started"
      case ("none", "paid"): "new"
      case ("trial", "paid"): "converted"
      case ("trial", "out"): "trial_lost"
      case ("trial", "retry"), ("trial", "overdue"), ("trial", "unattributed"): "trial_to_\(to)"
      case ("paid", "out"), ("unattributed", "out"): "lost"
      case ("paid", "trial"), ("paid", "retry"), ("paid", "overdue"), ("paid", "unattributed"): "to_\(to)"
      case ("retry", "paid"): isOfTrial ? "converted" : "recovered"
      case ("retry", "out"): isOfTrial ? "trial_lost" : "lost"
      case ("unattributed", "paid"): "returned"
      case ("out", "paid"): "resubscribed"
      default: nil
      }
    }

    var reason: String? { new.state == "revoked" ? "refunded" : new.reason }

    /// Name of a flow between two paid positions; `nil` if the MRR is unchanged.
    private var nameWithinPaid: String? {
      let (before, after) = (old?.row.monthly, new.row.monthly)
      if old?.row.row.product == new.row.row.product { return before == after ? nil : "repriced" }
      if let before, let after, before.currency != after.currency { return "exchange" }
      let (less, more) = (before?.micros ?? 0, after?.micros ?? 0)
      return less == more ? nil : less < more ? "expansion" : "contraction"
    }

    /// Names of the flows that lose and that gain the MRR of the change.
    var revenueNames: (lost: String?, gained: String?) {
      switch flow {
      case "exchange": ("contraction", "expansion")
      case nil: (nil, nil)
      case let name: (old?.set == "paid" ? name : nil, new.set == "paid" ? name : nil)
      }
    }
  }
}

extension ReferenceModel.Line {
  var changes: [ReferenceModel.Change] {
    var changes: [ReferenceModel.Change] = []
    var wasPaid = false
    for (from, position) in course where from <= instant {
      let old = changes.last?.new
      changes.append(.init(at: from, old: old, new: position, wasPaid: wasPaid))
      wasPaid = wasPaid || position.set == "paid"
    }
    return changes
  }
}
