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
    case .paste(let text): return paste(text)
    }
  }

  /// Screen that receives keys, unless a prompt is open.
  public var context: KeyContext {
    if isTooSmall { return .tooSmall }
    switch layers.last?.content {
    case .rows?: return .rows
    case .chains?: return .chains
    case .chain?: return .chain
    case .receipts?: return .receipts
    case .evidence?: return .evidence
    case .json?: return .json
    // These are lists to choose from.
    case .products?, .comparisons?, .alerts?: return .products
    case .compared?: return .compared
    case .help?: return .help
    case .messages?: return .messages
    case nil: break
    }
    return switch tab {
    case .sweep: .sweep
    case .panel(.cohorts): .cohorts
    case .panel(.movement): .movement
    case .panel: .panel
    }
  }

  private mutating func press(_ key: Key) -> [Effect] {
    let command = keys.command(for: key, in: context, readOnly: isReadOnly)
    if let command, [.quit, .suspend, .redraw].contains(command) { return perform(command) }
    // Also on a screen that is too small to show the prompt: typed text is never a command.
    if prompt != nil { return pressInPrompt(key) }
    if confirmation != nil, !isTooSmall { return answer(key) }
    if isTypedBlindly(key) { return [] }
    if let command {
      let effects = perform(command)
      noteRefusal(of: command)
      return effects
    }
    if let refusal = keys.refusal(of: key, in: context, readOnly: isReadOnly) { say(refusal) }
    if keys.opensPrompt(key) { blindTyping = uptime }
    return []
  }

  /// Maximum milliseconds between two keys of typed text.
  private static let typing: Int64 = 700

  /// Whether the user keeps typing text for a prompt that did not open. Ends with Enter, Escape or a pause.
  private mutating func isTypedBlindly(_ key: Key) -> Bool {
    guard let last = blindTyping, uptime - last < Self.typing else {
      blindTyping = nil
      return false
    }
    switch key {
    case .character, .backspace, .left, .right:
      blindTyping = uptime
      return true
    case .enter, .escape:
      blindTyping = nil
      return true
    default:
      blindTyping = nil
      return false
    }
  }

  private mutating func noteRefusal(of command: Command) {
    blindTyping = command.opensPrompt && prompt == nil ? uptime : nil
  }
}
