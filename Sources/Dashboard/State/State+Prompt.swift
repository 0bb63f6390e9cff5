import Screen
import Subscriptions

extension State {
  mutating func ask(_ label: String, for purpose: PromptPurpose, text: String = "") {
    prompt = Prompt(label: label, text: text)
    self.purpose = purpose
    promptProblem = nil
    recalled = nil
  }

  mutating func beginFilter() {
    guard page?.wholeListing != nil else {
      say("There is no list to filter here.")
      return
    }
    lookAtList()
    ask("/", for: .filter(before: arrangement), text: arrangement.filter)
  }

  /// What a prompt does not edit with stays what it is: ^C quits, ^Z suspends, ^L redraws.
  mutating func pressInPrompt(_ key: Key, _ command: Command?) -> [Effect] {
    if let command, [.quit, .suspend, .redraw].contains(command) { return perform(command) }
    guard var line = prompt else { return [] }
    if purpose == .command, pressInPalette(key) { return [] }
    let outcome = line.press(key)
    prompt = line
    switch outcome {
    case .submitted: return submit(line.text)
    case .cancelled: return cancel()
    case .edited: return edited(line.text)
    case .moved, .ignored: return []
    }
  }

  private mutating func submit(_ text: String) -> [Effect] {
    if purpose == .command { return run(text.trimmingSpaces) }
    if case .filter = purpose, promptProblem != nil { return [] }
    prompt = nil
    let text = text.trimmingSpaces
    switch purpose {
    case .find: return text.isEmpty ? [] : find(.id(text), .open)
    case .export: return text.isEmpty ? [] : export(to: text)
    case .filter:
      if let listScreen, !text.isEmpty { lastFilters[listScreen] = text }
      return text == arrangement.filter ? [] : arrange { $0.filter = text }
    case .command: return []
    }
  }

  private mutating func cancel() -> [Effect] {
    prompt = nil
    guard case .filter(let before) = purpose else { return [] }
    return arrange { $0 = before }
  }

  private mutating func edited(_ text: String) -> [Effect] {
    promptProblem = nil
    guard case .filter = purpose else { return [] }
    promptProblem = problem(in: text)
    guard promptProblem == nil else { return [] }
    let filter = withoutColumnBegun(text)
    return arrange { $0.filter = filter }
  }

  /// Leaves out a last word that no row has and that begins a column's name: more is to come.
  private func withoutColumnBegun(_ text: String) -> String {
    let typed = text.trimmingSpaces
    guard let listing = page?.wholeListing, text.last?.isLetter == true, listing.matches(of: typed).isEmpty
    else { return typed }
    let rest = typed.reversed().drop { !$0.isWhitespace }.reversed()
    let word = typed.dropFirst(rest.count).drop { $0 == "!" }.lowercased()
    return listing.fields.contains { $0.hasPrefix(word) } ? String(rest).trimmingSpaces : typed
  }

  // MARK: The palette

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

  /// Tab goes through what the line may become, Up and Down through what was typed before.
  ///
  /// - Returns: whether it was such a key.
  private mutating func pressInPalette(_ key: Key) -> Bool {
    guard let line = prompt else { return false }
    switch key {
    case .tab, .backTab:
      let typed = recalled?.typed ?? line.text
      let choices = Palette(state: self).completions(of: typed).map(\.line)
      recall(from: choices, typed: typed, by: key == .tab ? 1 : -1, wraps: true)
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
    recalled = Recall(typed: typed, index: index)
    prompt = Prompt(label: ":", text: lines[index])
  }
}
