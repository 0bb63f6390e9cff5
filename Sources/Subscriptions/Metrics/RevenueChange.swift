/// How monthly revenue changed in a window, and what changed it most: METRICS §5, Movement of MRR.
public struct RevenueChange: Hashable, Sendable, Encodable {
  /// The reporting currency, or the one in which most lines pay.
  public var currency: CurrencyCode
  /// Paid at the window's end, which it speaks of.
  public var lines: Int
  /// In how many currencies there was revenue at all.
  public var currencies: Int
  public var startMicros: Int128
  public var endMicros: Int128
  /// What moved most of all that went with the whole; and what moved most against it, where that moved more. None where the revenue stayed
  /// as it was.
  public var movers: [Mover] = []

  /// What happened alike to lines of one product.
  public struct Mover: Hashable, Sendable, Encodable {
    /// The path of the movement's figure that counts these lines: `by_product.com.example.pro.lost_by_reason.cancelled`.
    public var figure: String
    /// The figure's name without product.
    public var name: String
    /// Nil where lines stayed in Paid, at another price or as another product.
    @ExplicitNull public var productId: ProductID?
    /// The rows behind the figure; exchange rates have none.
    public var lines: Int
    /// What it did to the revenue, with its sign.
    public var micros: Int128
  }
}
