import Screen

extension KeyMap {
  /// With programs of somebody's own, that take their keys from what had them on the same screens.
  public func adding(_ own: [OwnCommand]) throws(Problem) -> KeyMap {
    var map = self
    // A key that several have is the last one's.
    let last = Dictionary(
      own.compactMap { command in command.key.map { ($0, command.name) } }, uniquingKeysWith: { $1 })
    let added = own.map { command in
      Binding(
        .own(command), command.key.map { last[$0] == command.name ? [$0] : [] } ?? [], .own,
        "runs \(command.words.joined(separator: " "))", in: Binding.markable.union([.chain]))
    }
    var names = Set(bindings.map(\.command.name))
    for binding in added {
      guard names.insert(binding.command.name).inserted else { throw .taken(binding.command.name) }
    }
    let contexts = added.first?.contexts ?? []
    for index in map.bindings.indices where !map.bindings[index].contexts.isDisjoint(with: contexts) {
      map.bindings[index].keys.removeAll { last[$0] != nil }
    }
    map.bindings += added
    return try map.withNeededKeys()
  }
}
