/// Receiver of column values, in order.
protocol ColumnValues {
  mutating func bind(_ number: Int64?)
  mutating func bind(_ text: String?)
}

extension ColumnValues {
  mutating func bind(_ number: Int?) { bind(number.map(Int64.init)) }

  mutating func bind(_ flag: Bool?) { bind(flag.map { $0 ? 1 : 0 } as Int64?) }

  mutating func bind<Value: RawRepresentable<Int64>>(_ value: Value?) { bind(value?.rawValue) }

  mutating func bind<Value: RawRepresentable<String>>(_ value: Value?) { bind(value?.rawValue) }
}
