import Subscriptions

/// How figures of what happened moved, from the sums of each stretch. What a class is counted in is asked once, not for each of
/// its sums.
struct FactCourses {
  private let question: Question
  private let stretches: Int
  private var courses: [Name: Int] = [:]
  /// For each course the stretches, and after them what was before.
  private var values: [Int64] = []
  private var partsOfClass: [KnownFactClass: [Part]] = [:]

  private struct Name: Hashable {
    var figure: String
    /// Of an amount.
    var currency: CurrencyCode?
  }

  /// What a sum adds to one course.
  private struct Part {
    var course: Int
    var unit: Unit
  }

  /// What of a sum is counted.
  fileprivate enum Unit {
    case rows
    case amount
    /// Each row's.
    case price(Int64)
  }

  init(_ question: Question) {
    self.question = question
    stretches = question.window.stretchEnds.count
  }

  /// - Parameter place: the stretch; nil for the window before.
  mutating func add(_ sums: WindowFacts.List, at place: Int?) {
    for (kind, sum) in sums where sum.count != 0 && question.includes(kind.kind) {
      for part in parts(of: kind) {
        let counted =
          switch part.unit {
          case .rows: sum.count
          case .amount: sum.micros
          case .price(let micros): micros &* sum.count
          }
        let index = part.course * (stretches + 1) + (place ?? stretches)
        let (total, overflows) = values[index].addingReportingOverflow(counted)
        values[index] = overflows ? (counted < 0 ? .min : .max) : total
      }
    }
  }

  func write(to trend: inout Trend) {
    for (name, course) in courses {
      for place in 0...stretches {
        trend.add(
          values[course * (stretches + 1) + place], to: name.figure, name.currency,
          at: place < stretches ? place : nil)
      }
    }
  }

  private mutating func parts(of kind: KnownFactClass) -> [Part] {
    if let known = partsOfClass[kind] { return known }
    let panel = question.panel
    let parts = kind.figures(of: question).flatMap { figures, amount in
      figures.filter(panel.happens).compactMap { figure -> Part? in
        guard panel.isAmount(figure) else {
          return Part(course: course(of: Name(figure: figure)), unit: .rows)
        }
        guard let amount, let currency = kind.kind.currency else { return nil }
        return Part(course: course(of: Name(figure: figure, currency: currency)), unit: amount)
      }
    }
    partsOfClass[kind] = parts
    return parts
  }

  private mutating func course(of name: Name) -> Int {
    if let known = courses[name] { return known }
    let new = courses.count
    courses[name] = new
    values += Array(repeating: 0, count: stretches + 1)
    return new
  }
}

extension KnownFactClass {
  /// The figures that what happened is counted in, as the panel's rows name them, and what of it is their amount; what is lost of
  /// what came due is told elsewhere.
  fileprivate func figures(of question: Question) -> [(figures: [String], amount: FactCourses.Unit?)] {
    let (panel, detail) = (question.panel, kind.detail)
    switch kind.family {
    case .bought: return bought.map { figures(of: $0, question) } ?? []
    case .due:
      guard let due else { return [] }
      let renewals = "renewals.\(due.periodName)"
      let isPaid = due.outcome == .renewed || due.outcome == .recovered
      return [(["\(renewals).due"] + (isPaid ? ["\(renewals).\(due.outcome.rawValue)"] : []), nil)]
    case .trialEnd:
      let outcome = PeriodOutcome(rawValue: detail)
      let converted = [PeriodOutcome.converted: "trials.converted", .convertedLate: "trials.converted_late"]
      return [(["trials.ended"] + [outcome.flatMap { converted[$0] }].compactMap(\.self), nil)]
    case .refund: return [(refundFigures(of: panel), .amount)]
    case .oneTimeRefund: return [(["one_time"], nil)]
    case .upgrade:
      guard let upgrade else { return [] }
      let priced = kind.currency == nil ? "unpriced" : "prorated_refund"
      if panel == .overview { return kind.currency == nil ? [] : [([priced], .amount)] }
      let name = upgrade.direction == .downgrade ? ChangeDirection.unranked : upgrade.direction
      return [
        (["immediate.\(name.rawValue)", upgrade.isConfirmed ? "confirmed" : "estimated", priced], .amount)
      ]
    case .undated: return [(["undated"], nil)]
    case .change:
      let direction = ChangeDirection(rawValue: detail) ?? .unranked
      let name = direction == .upgrade ? ChangeDirection.unranked : direction
      return [(["at_renewal.\(name.rawValue)"], nil)]
    case .event: return [([Panel.eventCount], nil)]
    default: return []
    }
  }

  private func refundFigures(of panel: Panel) -> [String] {
    if panel == .overview { return ["refunds"] + (kind.currency == nil ? [] : ["refund_amount"]) }
    let reason = ["1": "app_issue", "0": "other"][kind.detail] ?? "unknown"
    return ["count", "by_reason.\(reason)", kind.currency == nil ? "unpriced" : "amount"]
  }

  private func figures(
    of detail: BoughtDetail, _ question: Question
  ) -> [(figures: [String], amount: FactCourses.Unit?)] {
    let panel = question.panel
    var all: [(figures: [String], amount: FactCourses.Unit?)] = []
    if panel != .refunds { all.append((["arrivals.\(detail.arrival.rawValue)"], nil)) }
    guard detail.isPaid else { return all }
    if panel != .churn { all.append((["cohort.paid_transactions"], nil)) }
    guard panel == .overview else { return all }
    var sales = ["sales.transactions"]
    if detail.isPastFirstYear {
      sales.append("sales.after_one_year")
    } else if question.smallBusinessProgram.contains(detail.app, at: question.at),
      !question.smallBusinessProgram.changes(within: question)
    {
      sales.append("sales.small_business")
    }
    let price = detail.price(in: kind.currency)
    sales.append(price == nil ? "sales.unpriced" : "sales.amount")
    all.append((sales, price.map { .price($0.micros) }))
    return all
  }
}
