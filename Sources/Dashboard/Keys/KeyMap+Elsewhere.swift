import Screen
import Subscriptions

extension KeyMap {
  /// Returns a message for a key that works only on other screens, such as `v does nothing here: it works on
  /// a subscription history.` `nil` if the key works here, or nowhere.
  func refusal(of key: Key, in context: KeyContext, readOnly: Bool) -> String? {
    // A window that is too small hides the actual screen.
    guard context != .tooSmall else { return nil }
    return refusal(of: key.name, bindings.filter { $0.keys.contains(key) }, in: context, readOnly: readOnly)
  }

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

  /// Returns what a key does and where, for the help of a screen on which it does nothing.
  func elsewhere(_ binding: Binding, from context: KeyContext) -> String {
    "\(binding.title); on \(places(binding.contexts, from: context))"
  }

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

  private func tab(_ tab: Tab) -> String {
    let key = bindings.first { $0.command == .show(tab) }?.keys.first
    return tab.title + (key.map { " (\($0.name))" } ?? "")
  }
}
