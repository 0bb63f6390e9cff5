import Screen
import Subscriptions

struct Prompting: Sendable {
  enum Purpose: Hashable, Sendable {
    case find
    /// Filters the list while the user types; cancelling restores `before`.
    case filter(before: ListOptions)
    case command
    case export
  }

  /// Completion or previous command that has replaced the typed text.
  struct Recall: Hashable, Sendable {
    var typed: String
    var index: Int
    var isOfHistory: Bool
  }

  var line: Prompt
  let purpose: Purpose
  var problem: String?
  var recalled: Recall?
  /// Suggestions for a search; `nil` for other prompts, and if the text is empty.
  var suggestions: Suggestions?
}

extension State {
  mutating func ask(_ label: String, for purpose: Prompting.Purpose, text: String = "") {
    // A screen that is about to open must not interrupt typing.
    pending.stay()
    prompting = Prompting(line: Prompt(label: label, text: text), purpose: purpose)
    // A message would cover the suggestions.
    if purpose == .find { notice = nil }
  }

  mutating func beginFilter() -> [Effect] {
    guard page?.wholeListing != nil else { return say("There is no list to filter here.") }
    lookAtList()
    ask("/", for: .filter(before: arrangement), text: arrangement.filter)
    return []
  }

  mutating func pressInPrompt(_ key: Key) -> [Effect] {
    if prompting?.purpose == .command, pressInPalette(key) { return [] }
    if prompting?.suggestions?.press(key) == true { return [] }
    switch prompting?.line.press(key) {
    case .submitted?: return submit()
    case .cancelled?: return cancel()
    case .edited?: return edited()
    case .moved?, .ignored?, nil: return []
    }
  }

  /// Pastes into the open prompt, or into a new search, so that pasted text never runs commands.
  mutating func paste(_ text: String) -> [Effect] {
    guard !isTooSmall, text.contains(where: { !$0.isWhitespace }) else { return [] }
    guard !text.mayHoldSecret else {
      return say("Paste ignored: the text may be a shared secret.", .warn)
    }
    if prompting == nil { ask("find: ", for: .find) }
    prompting?.line.paste(text)
    prompting?.recalled = nil
    return edited()
  }

  private mutating func submit() -> [Effect] {
    guard let asked = prompting else { return [] }
    let text = asked.line.text.trimmingSpaces
    if asked.purpose == .command { return run(text) }
    if case .filter = asked.purpose, asked.problem != nil { return [] }
    prompting = nil
    pending[.suggestions] = nil
    switch asked.purpose {
    case .find: return openFound(text, asked.suggestions)
    case .export: return text.isEmpty ? [] : export(to: text)
    case .filter:
      return filter(by: text)
    case .command: return []
    }
  }

  private mutating func cancel() -> [Effect] {
    let purpose = prompting?.purpose
    prompting = nil
    pending[.suggestions] = nil
    guard case .filter(let before)? = purpose else { return [] }
    return arrange { $0 = before }
  }

  private mutating func edited() -> [Effect] {
    guard let asked = prompting else { return [] }
    prompting?.problem = nil
    if asked.purpose == .find { return suggest(asked.line.text) }
    guard case .filter = asked.purpose else { return [] }
    let problem = problem(in: asked.line.text)
    prompting?.problem = problem
    let filter = problem == nil ? withoutColumnBegun(asked.line.text) : arrangement.filter
    return arrange { ($0.filter, $0.problem) = (filter, problem) }
  }

  /// Returns the text, without its last word if this word begins a column name and no row matches the text.
  private func withoutColumnBegun(_ text: String) -> String {
    let typed = text.trimmingSpaces
    let rest = typed.reversed().drop { !$0.isWhitespace }.reversed()
    let word = typed.dropFirst(rest.count).drop { $0 == "!" }.lowercased()
    guard text.last?.isLetter == true, let listing = page?.wholeListing,
      listing.field(word) != nil, listing.match(of: typed, from: nil, by: 1) == nil
    else { return typed }
    return String(rest).trimmingSpaces
  }

  // MARK: Palette

  private mutating func run(_ line: String) -> [Effect] {
    guard !line.isEmpty else {
      prompting = nil
      return []
    }
    do throws(CommandError) {
      let command = try Palette(state: self).command(line)
      prompting = nil
      commandHistory.removeAll { $0 == line }
      commandHistory = commandHistory.suffix(99) + [line]
      return perform(command)
    } catch {
      prompting?.problem = error.sentence
      return []
    }
  }

  /// Handles a key that selects a completion or a previous command; returns `false` for other keys.
  private mutating func pressInPalette(_ key: Key) -> Bool {
    guard let asked = prompting else { return false }
    let isOfHistory = [.up, .down, .control("p"), .control("n")].contains(key)
    guard isOfHistory || [.tab, .backTab, .pageDown, .pageUp].contains(key) else {
      prompting?.recalled = nil
      return false
    }
    // Stepping through completions or history keeps the text that was typed before.
    let recalled = asked.recalled.flatMap { $0.isOfHistory == isOfHistory ? $0 : nil }
    let typed = recalled?.typed ?? asked.line.text
    let lines =
      isOfHistory ? commandHistory.reversed() : Palette(state: self).completions(of: typed).map(\.line)
    prompting?.problem = nil
    guard let last = lines.indices.last else { return true }
    let here = recalled?.index ?? -1
    let index =
      switch key {
      case .tab: here < last ? here + 1 : 0
      case .backTab: here > 0 ? here - 1 : last
      case .pageDown: min(here + Palette.page, last)
      case .pageUp: max(here - Palette.page, 0)
      case .up, .control("p"): min(here + 1, last)
      default: here - 1
      }
    let isRecalled = lines.indices.contains(index)
    prompting?.recalled =
      isRecalled ? Prompting.Recall(typed: typed, index: index, isOfHistory: isOfHistory) : nil
    prompting?.line = Prompt(label: ":", text: isRecalled ? lines[index] : typed)
    return true
  }

  // MARK: Searches

  private mutating func suggest(_ text: String) -> [Effect] {
    let typed = text.trimmingSpaces
    guard !typed.isEmpty else {
      prompting?.suggestions = nil
      pending[.suggestions] = nil
      return []
    }
    // Figures and products are suggested at once, ids when the store answers.
    let known = Choice.known(typed, products: products).prefix(6)
    prompting?.suggestions = Suggestions(text: typed, known: Array(known))
    return [.suggest(typed, serial: pending.ask(.suggestions))]
  }

  /// Opens the selected suggestion, or else an exact match, the nearest suggestion, or what the store finds.
  private mutating func openFound(_ text: String, _ suggestions: Suggestions?) -> [Effect] {
    let shown = suggestions.flatMap { $0.text == text ? $0 : nil }
    guard let meant = shown?.chosen ?? shown?.called(text, products: products) ?? shown?.nearest else {
      return text.isEmpty ? [] : find(.id(text), .open)
    }
    return open(meant)
  }

  mutating func open(_ choice: Choice) -> [Effect] {
    guard case .product(let id?)? = choice.command else { return choice.command.map { perform($0) } ?? [] }
    showAlone(id)
    return layers.isEmpty ? refresh() : show(tab)
  }
}
