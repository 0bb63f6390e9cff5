import Dashboard
import FakeAppStore
import ReceiptStore
import Screen
import Subscriptions

/// Dashboard over a store at a fixed instant, controlled by keys.
struct PlayedDashboard {
  private(set) var state: State
  private(set) var keys = 0
  private let store: ReceiptStore

  init(_ watched: WatchedStore, _ size: Size) throws {
    store = watched.store
    state = State(
      storeName: "demo", size: size, now: watched.at, fixedAt: watched.at,
      refreshSchedule: RefreshSchedule(refresh: nil))
    try send(.opened)
  }

  mutating func press(_ names: String...) throws {
    for name in names {
      let named: [String: Key] = ["Enter": .enter, "Tab": .tab, "Space": .character(" ")]
      for key in named[name].map({ [$0] }) ?? name.map(Key.character) {
        keys += 1
        try send(.input(.key(key)))
      }
    }
  }

  var lines: [String] {
    var canvas = Canvas(size: state.size, glyphs: state.glyphs)
    view(state, on: &canvas)
    return canvas.text()
  }

  func shows(_ texts: String...) -> Bool { lines.contains { line in texts.allSatisfy(line.contains) } }

  private mutating func send(_ event: Event) throws {
    for effect in update(&state, event) {
      guard let answer = try answer(effect) else { continue }
      try send(answer)
    }
  }

  private func answer(_ effect: Effect) throws -> Event? {
    switch effect {
    case .load(let question, let serial): .loaded(try store.report(complete(question)), serial: serial)
    case .loadRows(let asked, let figure, let serial):
      .rowsLoaded(try rows(behind: figure, complete(asked)), serial: serial)
    case .find(let id, let at, let serial):
      .found(try store.chains(matching: id, at: at), serial: serial)
    case .suggest(let text, let serial):
      .suggested(try store.suggestions(for: text, patience: .seconds(patience)) { true }, serial: serial)
    case .loadStatus(let at, let serial): .statusLoaded(try store.status(at: at), serial: serial)
    case .loadOrigins(let serial): .originsLoaded(try store.cohortOrigins(), serial: serial)
    case .arrange(let work, let serial): .arranged(work.done(), serial: serial)
    default: nil
    }
  }

  private func rows(behind figure: String, _ question: Question) throws -> FigureRows {
    let path = FigurePath(figure, of: question.panel)
    return try store.rows(behind: path.map(question.narrowed) ?? question, figure: path?.name ?? figure)
  }

  /// Adds the reporting currency, as the program does.
  private func complete(_ question: Question) -> Question {
    var question = question
    question.reportingCurrency = FakeRates.base
    return question
  }
}
