import Subscriptions

extension Instant {
  /// Date in the HTTP format of *RFC 9110, 5.6.7*: `Sun, 06 Nov 1994 08:49:37 GMT`.
  package var httpDate: String {
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let weekday = weekdays[Int(rawValue / Milliseconds.day) % 7]
    let day = civilDate
    let number = day.day < 10 ? "0\(day.day)" : "\(day.day)"
    return "\(weekday), \(number) \(months[day.month - 1]) \(day.year) \(clockText) GMT"
  }
}
