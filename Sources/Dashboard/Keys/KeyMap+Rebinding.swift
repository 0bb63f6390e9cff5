import Screen

extension KeyMap {
  /// Why keys cannot be as somebody wants them.
  public enum Problem: Error, Hashable {
    case unknownCommand(String)
    /// Without a key the program could not be left, or nobody could find out how.
    case needed(String)
    /// Another command has the name of one of somebody's own.
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

  /// The keys as somebody wants them: a command that is named has these and no others, and takes them from those that had
  /// them on the same screens. None leaves it to the palette.
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
