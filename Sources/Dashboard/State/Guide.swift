import Screen
import Subscriptions

/// Five-step guide through the demonstration. Each step is shown in the bottom line until it is done.
public struct Guide: Hashable, Sendable {
  enum Step: Int, Hashable, Sendable, CaseIterable {
    case rows, chain, find, panel, window
  }

  private(set) var step = Step.rows
  /// Customer whose history is worth opening.
  let customer: AppUserID

  public init(customer: AppUserID) { self.customer = customer }

  var words: StyledText {
    let number = StyledText(" Guide \(step.rawValue + 1)/\(Step.allCases.count)  ", .accent)
    let (key, action) =
      switch step {
      case .rows: ("Enter", "on a figure opens what it counts, k and j move to it")
      case .chain: ("Enter", "on one of them opens its history")
      case .find: ("f", "then \(customer): one who went through everything")
      case .panel: ("Tab", "shows the next panel")
      case .window: ("w", "looks at another window of days")
      }
    return number + [TextSpan(key, .key), TextSpan(" \(action)   ", .text), TextSpan("x", .key)]
      + StyledText(" ends the guide", .dim)
  }

  func next() -> Guide? {
    guard let following = Step(rawValue: step.rawValue + 1) else { return nil }
    var guide = self
    guide.step = following
    return guide
  }
}

extension State {
  mutating func followGuide() {
    guard let guide, hasDone(guide) else { return }
    self.guide = guide.next()
    if self.guide == nil {
      say("That was the guide; A lists the alerts, ? all the keys.", .good)
    }
  }

  private func hasDone(_ guide: Guide) -> Bool {
    switch (guide.step, layers.last?.content) {
    case (.rows, .rows): true
    case (.chain, .chain): true
    case (.find, .chain(let view)): view.chain.appUserIds.contains(guide.customer)
    case (.panel, nil): tab != .panel(.overview)
    case (.window, nil): windowDays != 28
    default: false
    }
  }
}
