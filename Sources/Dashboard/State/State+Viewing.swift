import Screen
import Subscriptions

/// How things are shown, apart from where one is among them.
extension State {
  mutating func show(theme name: String) -> [Effect] {
    theme = name
    say("Theme \(name).")
    return [.setTheme(name)]
  }

  /// Times are put into words when an answer comes, so that everything is asked for anew.
  mutating func show(in zone: Zone) -> [Effect] {
    guard zone != self.zone else {
      say("Times are in \(zone.name); the configuration's time_zones adds others.")
      return []
    }
    self.zone = zone
    say("Times in \(zone.name).")
    redrawStill()
    return refresh()
  }

  /// Draws the cohorts that were read in another way.
  mutating func viewCohorts(_ change: (inout CohortView, CohortFigures) -> Void) {
    guard let view = panels[.cohorts], case .cohorts(let figures) = view.report.data else { return }
    change(&cohortView, figures)
    let blocks = view.report.blocks(in: wording, isSweeping: sweep.isActive, cohorts: cohortView)
    panels[.cohorts]?.page = view.page.redrawn(blocks)
    settle()
  }

  /// From a chain to what is known of it field by field, and from there to what programs read.
  mutating func showFurther() -> [Effect] {
    if case .chain? = layers.last?.content {
      showFieldsOfChain()
      return []
    }
    guard case .evidence(let view)? = layers.last?.content else { return [] }
    return [.encode(view.chain, serial: pending.ask(.json))]
  }

  /// The list that a chain has: what is filtered and written of it.
  mutating func showFieldsOfChain() {
    guard case .chain(let view)? = layers.last?.content else { return }
    let page = Page([view.chain.evidence(in: wording)], arrangement(of: .evidence))
    layers.append(Layer(content: .evidence(view), page: page))
    settle()
  }
}
