import Screen
import Subscriptions

extension KeyMap {
  /// What is said of a key that does nothing on a screen and something on others: `v does nothing here: it works on a subscription
  /// history.` Nil where it does something, or is no key at all.
  func refusal(of key: Key, in context: KeyContext, readOnly: Bool) -> String? {
    // What is too small a window is not the screen that it hides.
    guard context != .tooSmall else { return nil }
    return refusal(of: key.name, bindings.filter { $0.keys.contains(key) }, in: context, readOnly: readOnly)
  }

  /// The same of a command, by its name.
  func refusal(ofCommand name: String, in context: KeyContext, readOnly: Bool) -> String? {
    refusal(of: name, bindings.filter { $0.command.name == name }, in: context, readOnly: readOnly)
  }

  private func refusal(
    of name: String, _ bindings: [Binding], in context: KeyContext, readOnly: Bool
  ) -> String? {
    let isOff = { (binding: Binding) in readOnly && binding.command.changesSomething }
    let here = bindings.filter { $0.contexts.contains(context) }
    guard !bindings.isEmpty, here.allSatisfy(isOff) else { return nil }
    guard here.isEmpty, !bindings.allSatisfy(isOff) else { return "Read-only: sweeps are switched off." }
    let contexts = bindings.reduce(into: Set<KeyContext>()) { $0.formUnion($1.contexts) }
    return "\(name) does nothing here: it works on \(places(contexts, from: context))."
  }

  /// What a key does and where, for the list of keys of a screen on which it does nothing.
  func elsewhere(_ binding: Binding, from context: KeyContext) -> String {
    "\(binding.title); on \(places(binding.contexts, from: context))"
  }

  /// The screens of some contexts, the most telling first and two at most.
  private func places(_ contexts: Set<KeyContext>, from context: KeyContext) -> String {
    if contexts.isSuperset(of: Binding.lists) { return "lists" }
    if contexts.subtracting([.cohorts, .movement]) == Binding.markable {
      return "lists of subscriptions or receipts"
    }
    if contexts.contains(.panel) { return context == .sweep ? "the other panels" : "the panels" }
    return KeyContext.allCases.filter(contexts.contains).prefix(2).map(words).joined(separator: " and ")
  }

  private func words(_ context: KeyContext) -> String {
    switch context {
    case .panel: "the panels"
    case .cohorts: tab(.panel(.cohorts))
    case .movement: tab(.panel(.movement))
    case .sweep: tab(.sweep)
    case .rows: "the rows behind a figure"
    case .compared: "a comparison"
    case .chains: "what was found"
    case .receipts: "a list of receipts"
    case .chain: "a subscription history"
    case .evidence: "its fields"
    case .json: "its JSON"
    case .products: "lists to choose from"
    case .help: "this list of keys"
    case .messages: "the messages"
    case .tooSmall: "a larger window"
    }
  }

  /// `Sweep (W)`, as far as a key leads there.
  private func tab(_ tab: Tab) -> String {
    let key = bindings.first { $0.command == .show(tab) }?.keys.first
    return tab.title + (key.map { " (\($0.name))" } ?? "")
  }
}
