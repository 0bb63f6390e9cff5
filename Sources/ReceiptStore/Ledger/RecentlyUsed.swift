/// The last few values that were asked for: a question asks about both ends of its window, and of offers about several families.
struct RecentlyUsed<Value: Sendable>: Sendable {
  private static var most: Int { 8 }

  private var values: [Value] = []

  /// What is asked for, out of what is kept; nil where it is not there.
  mutating func first<Answer>(_ find: (Value) -> Answer?) -> Answer? {
    for index in values.indices {
      guard let answer = find(values[index]) else { continue }
      values.append(values.remove(at: index))
      return answer
    }
    return nil
  }

  mutating func keep(_ value: Value) {
    if values.count == Self.most { values.removeFirst() }
    values.append(value)
  }
}
