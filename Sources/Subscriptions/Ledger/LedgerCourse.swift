/// All changes up to the end of a window, as a question sees them: what its figures and their course are made from.
public struct LedgerCourse: Sendable {
  private let question: Question
  private(set) var kinds = ChangeKinds()
  /// The ledger's classes by their places, and of each the place of its kind; nil is not asked about.
  private var classes: [ChangeClass?] = []
  private var places: [Int?] = []
  private var placesOfPositions: [PositionClass: Int?] = [:]
  /// By the places of classes: what was before the window, and what is in it.
  private var earlier: [ChangeSum] = []
  private var changes: [ChangeSum] = []

  /// Where lines stood at the window's `trendStart`.
  private(set) var start: ScopedSums
  /// The changes of the window before; none where the panel follows no changes.
  private var before: ScopedSums.Changes = []
  /// Those of each stretch of the window; none where the panel follows no line along it.
  private var stretches: [ScopedSums.Changes] = []
  /// The window.
  private(set) var sums: ScopedSums
  /// What the panel tells apart, which several of its figures may do.
  private var knownParts: [MovementSplit: [MovementPart: ScopedSums]] = [:]

  fileprivate init<L: Ledger>(_ question: Question, from ledger: L) throws(L.Failure) {
    self.question = question
    sums = ScopedSums(kinds, earlier: [], changes: [])
    start = sums
    let (window, counting) = (question.window, PanelCounting(question.panel))
    let toStart = try ledger.changeSums(after: nil, through: window.trendStart)
    let toStartByKind = byKind(toStart)
    start = ScopedSums(kinds, earlier: toStartByKind, changes: [])
    earlier.add(toStart)
    earlier.add(try ledger.changeSums(after: window.trendStart, through: window.from))
    var last = window.from
    for end in counting.followsLines ? window.stretchEnds : [window.to] {
      let sums = try ledger.changeSums(after: last, through: end)
      changes.add(sums)
      if counting.followsLines { stretches.append(byKind(sums)) } else { look(at: sums.classes) }
      last = end
    }
    if counting.followsChanges {
      let earlier = question.before.window
      before = byKind(try ledger.changeSums(after: earlier.from, through: earlier.to))
    }
    tellWindow()
  }

  /// Without its course.
  public init(_ sums: LedgerSums, _ question: Question) {
    self.question = question
    self.sums = ScopedSums(kinds, earlier: [], changes: [])
    start = self.sums
    for (position, balance) in sums.start {
      classes.append(ChangeClass(old: nil, new: position, flow: nil))
      earlier.append(balance.arrived)
      changes.append(ChangeSum())
    }
    for (change, sum) in sums.changes {
      classes.append(change)
      earlier.append(ChangeSum())
      changes.append(sum)
    }
    tellWindow()
  }

  private mutating func tellWindow() {
    look(at: classes)
    earlier.grow(to: classes.count)
    changes.grow(to: classes.count)
    sums = ScopedSums(kinds, earlier: byKind(earlier), changes: byKind(changes))
    if question.panel == .overview { knownParts[.product] = parts(by: .product) }
  }

  private mutating func look(at classes: [ChangeClass?]) {
    if classes.count >= self.classes.count { self.classes = classes }
    for change in classes[min(places.count, classes.count)...] {
      guard let change else {
        places.append(nil)
        continue
      }
      let (old, new) = (change.old.flatMap { place(of: $0) }, place(of: change.new))
      places.append(kinds.place(of: change, old: old, new: new))
    }
  }

  /// Nil where the question does not ask about it.
  private mutating func place(of position: PositionClass) -> Int? {
    if let known = placesOfPositions[position] { return known }
    let place = question.includes(position) ? kinds.place(of: position) : nil
    placesOfPositions[position] = .some(place)
    return place
  }

  private mutating func byKind(_ sums: ClassSums<ChangeClass, ChangeSum>) -> ScopedSums.Changes {
    look(at: sums.classes)
    var all = Array(repeating: ChangeSum(), count: kinds.changes.count)
    for part in sums.parts {
      if let place = places[part.place] { all[place] += part.sum }
    }
    return all.changes
  }

  private func byKind(_ sums: [ChangeSum]) -> ScopedSums.Changes {
    var all = Array(repeating: ChangeSum(), count: kinds.changes.count)
    for (place, sum) in zip(places, sums) {
      if let place { all[place] += sum }
    }
    return all.changes
  }

  /// The sums of each value of a split that is not of time, all of the same kinds. A change from one to another is among those of both.
  func parts(by split: MovementSplit) -> [MovementPart: ScopedSums] {
    if let known = knownParts[split] { return known }
    struct Part {
      var earlier: ScopedSums.Changes = []
      var changes: ScopedSums.Changes = []
    }
    var (kinds, parts) = (self.kinds, [Part]())
    var places: [MovementPart: Int] = [:]
    var known: [PositionClass: Int?] = [:]
    func place(of position: PositionClass?) -> Int? {
      guard let position else { return nil }
      if let place = known[position] { return place }
      let part = question.includes(position) ? MovementPart(of: position, by: split) : nil
      let place = part.map { part in
        if let place = places[part] { return place }
        places[part] = parts.count
        parts.append(Part())
        return parts.count - 1
      }
      known[position] = .some(place)
      return place
    }
    for index in classes.indices {
      let (earlier, changed) = (earlier[index], changes[index])
      guard let change = classes[index], !earlier.isZero || !changed.isZero else { continue }
      func add(_ kind: Int?, to part: Int?) {
        guard let kind, let part else { return }
        if !earlier.isZero { parts[part].earlier.append((kind, earlier)) }
        if !changed.isZero { parts[part].changes.append((kind, changed)) }
      }
      let (left, entered) = (place(of: change.old), place(of: change.new))
      if left == entered {
        add(self.places[index], to: entered)
      } else {
        if left != nil, let old = change.old {
          add(kinds.place(of: change, old: kinds.place(of: old), new: nil), to: left)
        }
        if entered != nil {
          add(kinds.place(of: change, old: nil, new: kinds.place(of: change.new)), to: entered)
        }
      }
    }
    return places.mapValues {
      ScopedSums(kinds, earlier: parts[$0].earlier, changes: parts[$0].changes)
    }
  }

  /// The changes of the window that the question asks about, class by class, with the places of their kinds.
  var changesByClass: [(place: Int, change: ChangeClass, sum: ChangeSum)] {
    classes.indices.compactMap { index in
      guard let change = classes[index], let place = places[index], !changes[index].isZero else { return nil }
      return (place, change, changes[index])
    }
  }

  /// Where all lines stand at the window's end, also those that the question does not ask about; a class may come several times.
  var standing: [(position: PositionClass, lines: Int64)] {
    var standing: [(position: PositionClass, lines: Int64)] = []
    for index in classes.indices {
      let lines = earlier[index].lines &+ changes[index].lines
      guard let change = classes[index], lines != 0 else { continue }
      standing.append((change.new, lines))
      if let old = change.old { standing.append((old, 0 &- lines)) }
    }
    return standing
  }

  /// The window before, which ends where the window begins.
  var sumsBefore: ScopedSums { sums.preceded(by: before, kinds) }

  /// The changes of each stretch, as if nobody had stood anywhere before it: its balances are by how much those of the window moved.
  var moves: [ScopedSums] { stretches.map { ScopedSums(kinds, earlier: [], changes: $0) } }

  /// The same question about later parts of the window, which follow each other.
  mutating func follow<L: Ledger>(
    _ last: ScopedSums, after start: Instant, through end: Instant, from ledger: L
  ) throws(L.Failure) -> ScopedSums {
    let changes = byKind(try ledger.changeSums(after: start, through: end))
    return last.followed(by: changes, kinds)
  }

  /// Nothing has changed yet at the window's start.
  var beginning: ScopedSums { ScopedSums(kinds, earlier: byKind(earlier), changes: []) }
}

extension Ledger {
  /// A window in its stretches, with the one before, each part read once.
  func course(_ question: Question) throws(Failure) -> LedgerCourse {
    try LedgerCourse(question, from: self)
  }
}

extension [ChangeSum] {
  fileprivate mutating func add(_ sums: ClassSums<ChangeClass, ChangeSum>) {
    grow(to: sums.classes.count)
    for part in sums.parts { self[part.place] += part.sum }
  }

  fileprivate mutating func grow(to count: Int) {
    if self.count < count { self += Array(repeating: ChangeSum(), count: count - self.count) }
  }

  /// Those that come to anything, by their places.
  fileprivate var changes: ScopedSums.Changes {
    enumerated().compactMap { $0.element.isZero ? nil : ($0.offset, $0.element) }
  }
}

extension Balance {
  /// As if all had just come.
  fileprivate var arrived: ChangeSum {
    ChangeSum(lines: lines, monthlyAfter: monthlyMicros, convertedAfter: converted)
  }
}
