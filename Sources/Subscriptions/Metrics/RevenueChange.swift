/// Change of monthly revenue in a window, with its largest causes (METRICS §5, Movement of MRR).
public struct RevenueChange: Hashable, Sendable, Encodable {
  /// Reporting currency, or else the currency in which most lines pay.
  public var currency: CurrencyCode
  public var lines: Int
  public var currencies: Int
  public var startMicros: Int128
  public var endMicros: Int128
  /// Largest movement in the direction of the total, and the largest one against it if that is larger. Empty
  /// if revenue did not change.
  public var movers: [Mover] = []

  /// Changes of the same kind of lines of one product.
  public struct Mover: Hashable, Sendable, Encodable {
    /// Path of the movement's figure that counts these lines:
    /// `by_product.com.example.pro.lost_by_reason.cancelled`.
    public var figure: String
    public var name: String
    /// `nil` if lines stayed in Paid at another price or with another product.
    @ExplicitNull public var productId: ProductID?
    /// Number of rows behind the figure; 0 for exchange rates.
    public var lines: Int
    /// Signed effect on the revenue.
    public var micros: Int128
  }
}
