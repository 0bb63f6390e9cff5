import Screen

extension KeyMap {
  /// The line of keys at the foot of a screen, the way to the others last.
  ///
  /// - Parameters:
  ///   - isTop: whether `q` leaves the program from here.
  ///   - isPaused: whether a sweep is to go on rather than to pause.
  ///   - useless: what would do nothing here.
  func hints(
    in context: KeyContext, readOnly: Bool, isTop: Bool, isPaused: Bool, without useless: Set<Command>
  ) -> [KeyHint] {
    bindings(readOnly: readOnly).compactMap { binding in
      guard binding.hinted.contains(context), !useless.contains(binding.command),
        let key = binding.keys.first,
        let hint = binding.hint
      else { return nil }
      switch binding.command {
      case .leave where !isTop: return KeyHint(key.name, "back")
      case .json where context == .evidence: return KeyHint(key.name, "JSON")
      case .pauseOrResume where isPaused: return KeyHint(key.name, "resume")
      default: return KeyHint(key.name, hint)
      }
    }
  }
}
