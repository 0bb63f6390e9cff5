/// METRICS §5, Recovery: what became of paid lines that entered billing retry.
public struct RecoveryFigures: Hashable, Sendable, Encodable {
  /// Of lines that entered in the window.
  public struct Outcomes: Hashable, Sendable, Encodable {
    public var entered = 0
    /// Paid again by the window's end.
    public var recovered = 0
    public var stillRetrying = 0
    /// The rest.
    public var lost = 0
    public init() {}
  }

  /// The same as what the lines brought a month when they entered.
  public struct Revenue: Hashable, Sendable, Encodable {
    public var entered = Amounts()
    public var recovered = Amounts()
    public var stillRetrying = Amounts()
    public var lost = Amounts()
    public init() {}
  }

  /// Of the lines that entered so many days before the window or in it, those paid again within so many days.
  public struct Point: Hashable, Sendable, Encodable {
    public var days: Int
    public var recovered: Int
    /// Entered in (from − days, to − days].
    public var of: Int
    /// Nil where none entered.
    @ExplicitNull public var rate: Double?
    /// What those paid again brought a month when they entered, and what all did.
    public var recoveredMrr = Amounts()
    public var ofMrr = Amounts()

    public init(days: Int, recovered: Int, of: Int) {
      (self.days, self.recovered, self.of) = (days, recovered, of)
      rate = of == 0 ? nil : Double(recovered) / Double(of)
    }
  }

  /// Lines that are told apart.
  public struct Part: Hashable, Sendable, Encodable {
    public var outcomes = Outcomes()
    public var curve: [Point] = []
    public init() {}
  }

  public struct ByProduct: Hashable, Sendable, Encodable {
    public var productId: ProductID
    public var outcomes = Outcomes()
    public init(_ product: ProductID) { productId = product }
  }

  /// By the month in which the lines entered, UTC.
  public struct ByMonth: Hashable, Sendable, Encodable {
    public var month: CivilMonth
    public var outcomes = Outcomes()
    public init(_ month: CivilMonth) { self.month = month }
  }

  /// By the week in which the lines entered, from Monday, UTC.
  public struct ByWeek: Hashable, Sendable, Encodable {
    /// Its Monday: `2026-03-02`.
    public var week: String
    public var outcomes = Outcomes()
    public init(_ week: String) { self.week = week }
  }

  /// Lines in billing retry at the window's end, by how long they have been.
  public struct Standing: Hashable, Sendable, Encodable {
    /// The band's first day, and the first day after it; nil is up to the end of retry.
    public var fromDays: Int
    @ExplicitNull public var toDays: Int?
    public var lines = 0
    public var mrr = Amounts()

    public init(from: Int, to: Int?) {
      fromDays = from
      toDays = to
    }
  }

  /// Days that lines in billing retry have been there.
  static let bands: [(from: Int, to: Int)] = [(0, 3), (3, 7), (7, 14), (14, 30), (30, 60)]

  /// Days after which a curve looks.
  public static let days = [1, 3, 7, 14, 30, 60]

  public var entered = 0
  public var recovered = 0
  public var stillRetrying = 0
  public var lost = 0
  public var mrr = Revenue()
  public var curve: [Point] = []
  /// Of the window before.
  public var curveBefore: [Point] = []
  /// Lines that had been in grace first.
  public var withGrace = Part()
  public var withoutGrace = Part()
  public var byProduct: [ByProduct] = []
  /// The oldest first, months without an entry left out.
  public var byMonth: [ByMonth] = []
  /// The same of windows that are told by the week; of longer ones there are none.
  public var byWeek: [ByWeek] = []
  public var standing: [Standing] = []

  public init() {}
}

extension Window {
  /// Whether weeks are as many as a screen has room for: up to a quarter of a year.
  var isToldByWeek: Bool { days <= 92 }
}
