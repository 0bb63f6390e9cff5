/// Immutable value behind a reference, so that copies are cheap and the hash is computed once.
@dynamicMemberLookup
public struct HashedOnce<Value: Hashable & Sendable>: Hashable, Sendable {
  private final class Box: Sendable {
    let value: Value
    let hash: Int

    init(_ value: Value) {
      self.value = value
      hash = value.hashValue
    }
  }

  private let box: Box

  init(_ value: Value) { box = Box(value) }

  public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member {
    box.value[keyPath: member]
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || (left.box.hash == right.box.hash && left.box.value == right.box.value)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(box.hash) }
}
