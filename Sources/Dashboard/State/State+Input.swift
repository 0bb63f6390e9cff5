import Screen
import Subscriptions

extension State {
  mutating func take(_ input: InputEvent) -> [Effect] {
    switch input {
    case .resize(let size):
      self.size = size
      settle()
      return []
    case .key(let key): return press(key)
    case .mouse(let mouse): return take(mouse)
    }
  }

  /// Which screen keys go to, the prompt apart.
  public var context: KeyContext {
    if isTooSmall { return .tooSmall }
    switch layers.last {
    case .rows?: return .rows
    case .chains?: return .chains
    case .chain?: return .chain
    case .json?: return .json
    case .products?: return .products
    case .help?: return .help
    case nil: return tab == .sweep ? .sweep : .panel
    }
  }

  private mutating func press(_ key: Key) -> [Effect] {
    let command = keys.command(for: key, in: context, readOnly: isReadOnly)
    if prompt != nil, !isTooSmall { return pressInPrompt(key, command) }
    if let command { return perform(command) }
    let stripped = isReadOnly ? keys.command(for: key, in: context, readOnly: false) : nil
    if stripped != nil { say("Read-only: sweeps are switched off.", .warn) }
    return []
  }
}
