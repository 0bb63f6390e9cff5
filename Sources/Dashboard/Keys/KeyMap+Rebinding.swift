import Screen

extension KeyMap {
  public enum Problem: Error, Hashable {
    case unknownCommand(String)
    /// `quit` and `help` must keep a key.
    case needed(String)
    /// A program from the configuration has the name of another command.
    case taken(String)

    public var sentence: String {
      switch self {
      case .unknownCommand(let name):
        "there is no command \(name); the list of keys (`?`) names them in its last column"
      case .needed(let name): "\(name) needs a key"
      case .taken(let name): "there is a command \(name) already; give yours another name"
      }
    }
  }

  /// Returns a key map with the given keys.
  ///
  /// A command in `wishes` has exactly these keys. They are removed from other commands on the same screens.
  /// A command without keys is available in the palette only.
  public func rebinding(_ wishes: [String: [Key]]) throws(Problem) -> KeyMap {
    var map = self
    for (name, keys) in wishes.sorted(by: { $0.key < $1.key }) {
      let places = bindings.indices.filter { bindings[$0].command.name == name }
      guard !places.isEmpty else { throw .unknownCommand(name) }
      let contexts = places.reduce(into: Set<KeyContext>()) { $0.formUnion(bindings[$1].contexts) }
      for index in map.bindings.indices where !places.contains(index) {
        guard wishes[map.bindings[index].command.name] == nil,
          !map.bindings[index].contexts.isDisjoint(with: contexts)
        else { continue }
        map.bindings[index].keys.removeAll { keys.contains($0) }
      }
      for index in places { map.bindings[index].keys = keys }
    }
    return try map.withNeededKeys()
  }

  func withNeededKeys() throws(Problem) -> KeyMap {
    if let bare = bindings.first(where: { [.quit, .help].contains($0.command) && $0.keys.isEmpty }) {
      throw .needed(bare.command.name)
    }
    return self
  }
}
