import Screen
import Subscriptions

extension State {
  mutating func ask(_ label: String, for purpose: PromptPurpose, text: String = "") {
    // A pending opening must not interrupt typing.
    pending.stay()
    prompt = Prompt(label: label, text: text)
    self.purpose = purpose
    promptProblem = nil
    recalled = nil
    suggestions = nil
    // A message would cover the suggestions.
    if purpose == .find { notice = nil }
  }

  mutating func beginFilter() {
    guard page?.wholeListing != nil else {
      say("There is no list to filter here.")
      return
    }
    lookAtList()
    ask("/", for: .filter(before: arrangement), text: arrangement.filter)
  }

  mutating func pressInPrompt(_ key: Key) -> [Effect] {
    guard var line = prompt else { return [] }
    if purpose == .command, pressInPalette(key) { return [] }
    if purpose == .find, pressInSuggestions(key) { return [] }
    let outcome = line.press(key)
    prompt = line
    switch outcome {
    case .submitted: return submit(line.text)
    case .cancelled: return cancel()
    case .edited: return edited(line.text)
    case .moved, .ignored: return []
    }
  }

  /// Pastes into the open prompt, or into a new search. Pasted text never runs keys.
  mutating func paste(_ text: String) -> [Effect] {
    guard !isTooSmall, text.contains(where: { !$0.isWhitespace }) else { return [] }
    guard !text.mayHoldSecret else {
      say("What was pasted may be a shared secret, and was not taken.", .warn)
      return []
    }
    if prompt == nil { ask("find: ", for: .find) }
    guard var line = prompt else { return [] }
    line.paste(text)
    prompt = line
    recalled = nil
    return edited(line.text)
  }

  private mutating func submit(_ text: String) -> [Effect] {
    if purpose == .command { return run(text.trimmingSpaces) }
    if case .filter = purpose, promptProblem != nil { return [] }
    if purpose == .find { return openFound(text.trimmingSpaces) }
    prompt = nil
    let text = text.trimmingSpaces
    switch purpose {
    case .export: return text.isEmpty ? [] : export(to: text)
    case .filter:
      if let listScreen, !text.isEmpty { lastFilters[listScreen] = text }
      return text == arrangement.filter ? [] : arrange { $0.filter = text }
    case .find, .command: return []
    }
  }

  private mutating func cancel() -> [Effect] {
    prompt = nil
    suggestions = nil
    pending.drop(.suggestions)
    guard case .filter(let before) = purpose else { return [] }
    return arrange { $0 = before }
  }

  private mutating func edited(_ text: String) -> [Effect] {
    promptProblem = nil
    if purpose == .find { return suggest(text) }
    guard case .filter = purpose else { return [] }
    promptProblem = problem(in: text)
    guard promptProblem == nil else { return [] }
    let filter = withoutColumnBegun(text)
    return arrange { $0.filter = filter }
  }

  /// Omits the last word while it may become the name of a column: no row matches it, and a column begins
  /// with it.
  private func withoutColumnBegun(_ text: String) -> String {
    let typed = text.trimmingSpaces
    let rest = typed.reversed().drop { !$0.isWhitespace }.reversed()
    let word = typed.dropFirst(rest.count).drop { $0 == "!" }.lowercased()
    guard text.last?.isLetter == true, let listing = page?.wholeListing,
      listing.fields.contains(where: { $0.hasPrefix(word) }),
      listing.match(of: typed, from: nil, by: 1) == nil
    else { return typed }
    return String(rest).trimmingSpaces
  }

  // MARK: Palette

  private mutating func run(_ line: String) -> [Effect] {
    guard !line.isEmpty else {
      prompt = nil
      return []
    }
    do throws(Palette.Problem) {
      let command = try Palette(state: self).command(line)
      prompt = nil
      commandHistory.removeAll { $0 == line }
      commandHistory = commandHistory.suffix(99) + [line]
      return perform(command)
    } catch {
      promptProblem = error.sentence
      return []
    }
  }

  /// Handles the keys that replace the line: Tab and the page keys select a completion, Up and Down a
  /// previous command. Returns whether it was one.
  private mutating func pressInPalette(_ key: Key) -> Bool {
    guard let line = prompt else { return false }
    // Switching between completions and history starts with the current line.
    let isOfHistory = [.up, .down, .control("p"), .control("n")].contains(key)
    if let recalled, recalled.isOfHistory != isOfHistory { self.recalled = nil }
    switch key {
    case .tab, .backTab:
      let typed = recalled?.typed ?? line.text
      let choices = Palette(state: self).completions(of: typed).map(\.line)
      recall(from: choices, typed: typed, by: key == .tab ? 1 : -1, wraps: true)
    case .pageDown, .pageUp:
      let typed = recalled?.typed ?? line.text
      choose(by: key, from: Palette(state: self).completions(of: typed).map(\.line), typed: typed)
    case .up, .control("p"):
      recall(from: commandHistory.reversed(), typed: "", by: 1, wraps: false)
    case .down, .control("n"):
      recall(from: commandHistory.reversed(), typed: "", by: -1, wraps: false)
    default:
      recalled = nil
      return false
    }
    promptProblem = nil
    return true
  }

  private mutating func choose(by key: Key, from lines: [String], typed: String) {
    guard let last = lines.indices.last else { return }
    let here = recalled?.index ?? -1
    let index = key == .pageDown ? min(here + Palette.page, last) : max(here - Palette.page, 0)
    recalled = Recall(typed: typed, index: index, isOfHistory: false)
    prompt = Prompt(label: ":", text: lines[index])
  }

  private mutating func recall(from lines: [String], typed: String, by step: Int, wraps: Bool) {
    guard !lines.isEmpty else { return }
    var index = (recalled?.index ?? -1) + step
    if recalled == nil, step < 0 { index = wraps ? lines.count - 1 : -1 }
    if wraps { index = (index + lines.count) % lines.count }
    guard index >= 0 else {
      prompt = Prompt(label: ":", text: typed)
      recalled = nil
      return
    }
    index = min(index, lines.count - 1)
    recalled = Recall(typed: typed, index: index, isOfHistory: !wraps)
    prompt = Prompt(label: ":", text: lines[index])
  }
}
