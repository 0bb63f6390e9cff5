import Screen

extension KeyMap {
  /// With programs of somebody's own, that take their keys from what had them on the same screens.
  public func adding(_ own: [OwnCommand]) throws(Problem) -> KeyMap {
    var map = self
    for command in own {
      guard !map.bindings.contains(where: { $0.command.name == command.name }) else {
        throw .taken(command.name)
      }
      let binding = Binding(
        .own(command), command.key.map { [$0] } ?? [], .own, "runs \(command.words.joined(separator: " "))",
        in: Binding.markable.union([.chain]))
      for index in map.bindings.indices where !map.bindings[index].contexts.isDisjoint(with: binding.contexts)
      {
        map.bindings[index].keys.removeAll { $0 == command.key }
      }
      map.bindings.append(binding)
    }
    return try map.withNeededKeys()
  }
}
