/// A line made by hand, with dates in days, and where METRICS 3 to 5 has it.
struct ReferenceCase: CustomStringConvertible, Sendable {
  struct Row: Sendable {
    var start: Double
    var end: Double
    var product = "plus"
    var kind = "standard"
    var cancelled: Double?
    var isUpgraded = false
  }

  /// An answer of a day; without an element, no `pending_renewal_info`.
  struct Answer: Sendable {
    var day: Double
    var element: JSON?
  }

  var name: String
  var rows: [Row]
  var answers: [Answer]
  var goneAt: Double?
  /// Notifications about rows, by their numbers.
  var notices: [(day: Double, type: String, subtype: String?, row: Int)] = []
  /// State and reason by day.
  var states: [(day: Double, state: String)]
  /// Name and reason of every flow, by day.
  var flows: [(day: Double, flow: String)]
  /// The end of access by the last day.
  var accessEnd: Double
  /// Days of a gap that no snapshot saw.
  var unseen: [Double] = []
  /// What became of each row when it was due; empty for not asked.
  var outcomes: [String] = []

  var description: String { name }

  private static func milliseconds(_ day: Double) -> Int { Int((day * Double(ReferenceModel.day)).rounded()) }

  private static func json(_ day: Double?) -> JSON { .known(day.map(milliseconds)) }

  private var chain: JSON {
    let transactions = rows.enumerated().map { index, row in
      JSON.object([
        "transaction_id": .text("\(index + 1)"), "product_id": .text(row.product), "kind": .text(row.kind),
        "purchase_ms": Self.json(row.start), "expires_ms": Self.json(row.end),
        "cancellation_ms": Self.json(row.cancelled), "upgraded": .flag(row.isUpgraded),
      ])
    }
    let renewals = answers.compactMap { answer in
      answer.element.map { element in
        JSON.object(
          ["observed_at_ms": Self.json(answer.day), "last_observed_at_ms": Self.json(answer.day)]
            .merging(element.object) { $1 })
      }
    }
    let validations = answers.map {
      JSON.object(["at_ms": Self.json($0.day), "has_renewal_infos": .flag($0.element != nil)])
    }
    let notices = notices.map { notice in
      JSON.object([
        "observed_at_ms": Self.json(notice.day), "type": .text(notice.type),
        "subtype": .known(notice.subtype), "transaction_id": .text("\(notice.row)"),
      ])
    }
    return .object([
      "notifications": .list(notices), "original_transaction_id": .text("1"),
      "environment": .text("Production"),
      "gone_at_ms": Self.json(goneAt), "validations": .list(validations),
      "lines": .list([.object(["transactions": .list(transactions), "renewal_infos": .list(renewals)])]),
    ])
  }

  /// What differs from what was expected.
  func complaints() throws -> [String] {
    let last = Self.milliseconds(states.map(\.day).max() ?? 0)
    let prices = try ReferenceModel.Prices(Self.catalog)
    let line = try ReferenceModel.Line(ReferenceModel.Chain(chain), 0, at: last, prices: prices)
    let wrongStates = states.compactMap { day, state in
      let position = line.position(at: Self.milliseconds(day))
      let found = (position?.state ?? "none") + (position?.reason.map { " \($0)" } ?? "")
      return found == state ? nil : "day \(day): \(found) instead of \(state)"
    }
    let unseen = states.map(\.day).filter { line.position(at: Self.milliseconds($0))?.isUnseen == true }
    let outcomes = self.outcomes.isEmpty ? [] : line.periods.map(line.outcome)
    let found = line.changes.compactMap { change in
      change.flow.map { flow in
        "\(change.at) \(flow)" + (flow.hasSuffix("lost") ? " \(change.reason ?? "unknown")" : "")
      }
    }
    let wanted = flows.map { "\(Self.milliseconds($0.day)) \($0.flow)" }
    let end = line.position?.accessEnd
    return wrongStates + (found == wanted ? [] : ["flows \(found) instead of \(wanted)"])
      + (unseen == self.unseen ? [] : ["unseen on days \(unseen)"])
      + (outcomes == self.outcomes ? [] : ["outcomes \(outcomes)"])
      + (end == Self.milliseconds(accessEnd) ? [] : ["access until \(end ?? 0)"])
  }

  private static let catalog = """
    product_id,subscription_group_id,level,period,offer,price,currency,valid_from
    plus,g,2,P1M,,5,USD,
    pro,g,1,P1M,,10,USD,
    euro,g,1,P1M,,10,EUR,
    """
}
