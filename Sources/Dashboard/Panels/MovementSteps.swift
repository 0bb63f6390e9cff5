import Screen
import Subscriptions

/// Movement as steps: opening balance, changes, closing balance.
struct MovementSteps {
  struct Step {
    var label: String
    /// Signed number of lines, or micros of `currency`.
    var value: Int128
    var isLevel = false
    var style: Style
    /// Paths of the figures that the step sums, with their counts; empty if Enter opens no rows for the step.
    var figures: [(String, Int)]
  }

  let steps: [Step]
  let currency: CurrencyCode?

  /// Creates the steps for a row of a group of movement figures, such as the MRR in one currency.
  ///
  /// - Parameters:
  ///   - reasons: Losses by reason, which replace the step of all losses.
  ///   - isShort: Whether to merge similar steps, and to limit the reasons to the rows of a small screen.
  init(
    _ group: EvaluatedGroup, _ row: EvaluatedGroup.Row, reasons: EvaluatedGroup? = nil, isShort: Bool = false
  ) {
    currency = row.currency
    var steps: [Step] = []
    var lastFlow: Flow?
    let shown = group.figures.indices.filter { group.figures[$0].isBalance || row.values[$0] != 0 }
    for (order, place) in shown.enumerated() {
      let (figure, value) = (group.figures[place], row.values[place])
      if figure.name == Flow.lost.rawValue, let reasons, let lost = reasons.rows.first {
        let losses = zip(reasons.figures, lost.values).filter { $0.1 != 0 }.map { reason, count in
          Step(
            label: isShort ? reason.label : "Lost: \(reason.label.lowercased())", value: 0 - count,
            style: .bad, figures: [("\(reasons.name).\(reason.name)", Int(clamping: count))])
        }
        let others = shown.count - order - 1
        steps += isShort ? Self.short(losses, in: Self.shortRows - steps.count - others) : losses
        continue
      }
      let signed = figure.isTakenOff ? 0 - value : value
      let step = Step(
        label: isShort ? figure.shortLabel : figure.label, value: signed, isLevel: figure.isBalance,
        style: figure.style(of: signed),
        figures: figure.isOfConversion
          ? [] : [("\(group.name).\(figure.name)", Int(clamping: value.magnitude))])
      let flow = Flow(rawValue: figure.name)
      let shared = isShort ? flow.flatMap { lastFlow?.label(with: $0) } : nil
      lastFlow = flow
      if let last = steps.indices.last, !step.isLevel, shared != nil || steps[last].label == step.label {
        steps[last].label = shared ?? step.label
        steps[last].value += step.value
        steps[last].figures += step.figures
      } else {
        steps.append(step)
      }
    }
    self.steps = steps
  }

  /// Number of steps that fit below the headline figures on a screen of 24 rows.
  private static let shortRows = 10

  /// Returns at most `rows` steps, but at least one: the largest losses, and the sum of all other losses.
  private static func short(_ losses: [Step], in rows: Int) -> [Step] {
    guard losses.count > max(1, rows) else { return losses }
    let bySize = losses.indices.sorted { losses[$0].value < losses[$1].value }
    let alone = Set(bySize.prefix(max(0, rows - 1)))
    let rest = losses.indices.filter { !alone.contains($0) }.map { losses[$0] }
    let together = Step(
      label: alone.isEmpty ? "Lost" : "Lost: other", value: rest.reduce(0) { $0 + $1.value },
      style: .bad, figures: rest.flatMap(\.figures))
    return losses.indices.filter(alone.contains).map { losses[$0] } + [together]
  }

  var chart: Waterfall {
    Waterfall(
      steps.map { step in
        Waterfall.Step(
          TextSpan(step.label, step.isLevel ? .strong : .text), Double(step.value), isLevel: step.isLevel,
          text: text(step), step.isLevel ? .accent : step.style)
      })
  }

  /// Returns the chart as a block; its title names the start of the axis if that is not zero.
  ///
  /// - Parameter panel: Panel of the figures; `nil` for the current panel.
  func block(
    _ title: String, _ minimumColumns: Int, of panel: Panel? = nil, span: Block.Span = .card
  ) -> Block {
    let chart = chart
    let cut = chart.axis.lowerBound > 0 ? ", axis from \(number(Int128(chart.axis.lowerBound)))" : ""
    let targets = steps.map { $0.figures.isEmpty ? nil : DrillDown.rows(Breakdown($0.figures, of: panel)) }
    return Block(
      [TextSpan(title), TextSpan(cut, .dim)], .waterfall(chart, targets), span: span,
      minimumColumns: minimumColumns)
  }

  private func text(_ step: Step) -> StyledText {
    let sign = !step.isLevel && step.value > 0 ? "+" : ""
    return StyledText(sign + number(step.value), step.isLevel ? .strong : step.style)
  }

  private func number(_ value: Int128) -> String {
    currency.map { MoneyText.number(of: Money(micros: value, currency: $0)) } ?? CountText.of(value)
  }
}

extension Flow {
  fileprivate func label(with next: Flow) -> String? {
    switch (self, next) {
    case (.recovered, .returned): "Recovered, returned"
    case (.toOverdue, .toUnattributed): "Unverified, lapsed"
    default: nil
    }
  }
}

extension FigureDefinition {
  fileprivate var shortLabel: String {
    switch Flow(rawValue: name) {
    case .returned?: Flow.returned.shortWords
    default: label
    }
  }

  /// Returns the style of a change by its meaning: a converted trial is good, but reduces the trials.
  func style(of value: Int128) -> Style {
    switch Flow(rawValue: name) {
    case .new?, .converted?, .recovered?, .returned?, .resubscribed?, .trialStarted?: .good
    case .lost?, .trialLost?, .toRetry?, .trialToRetry?: .bad
    case .expansion?, .contraction?, .repriced?: value > 0 ? .good : .bad
    default: .info
    }
  }
}
