import Screen
import Testing

@Suite struct WaterfallTests {
  private static func step(_ label: String, _ value: Double, isLevel: Bool = false) -> Waterfall.Step {
    Waterfall.Step(
      TextSpan(label), value, isLevel: isLevel,
      text: StyledText(isLevel || value < 0 ? "\(Int(value))" : "+\(Int(value))"),
      isLevel ? .accent : value < 0 ? .bad : .good)
  }

  private static func waterfall(_ start: Double, _ steps: [Double]) -> Waterfall {
    Waterfall(
      [step("Start", start, isLevel: true)] + steps.enumerated().map { step("step \($0 + 1)", $1) }
        + [step("End", steps.reduce(start, +), isLevel: true)])
  }

  @Test func `half a cell is drawn, and the smallest value is visible`() {
    let chart = Self.waterfall(3, [7, -5, 0.01])
    let drawn = picture(20, 5) { canvas, rect in chart.draw(on: &canvas, in: rect) }.text()
    #expect(drawn[2] == "step 2      █████ -5")
    #expect(drawn[3] == "step 3      ▌     +0")
    let odd = Self.waterfall(1, [1, 18])
    let halves = picture(21, 4) { canvas, rect in odd.draw(on: &canvas, in: rect) }.text()
    #expect(halves[0] == "Start  ▌            1")
    #expect(halves[1] == "step 1 ▐           +1")
  }

  @Test func `levels that dwarf the steps are cut, at a round number`() {
    let chart = Self.waterfall(1776, [95, -62])
    #expect(chart.axis.lowerBound > 0)
    #expect(chart.axis == 1740...1871)
    let drawn = picture(40, 4) { canvas, rect in chart.draw(on: &canvas, in: rect) }
    #expect(drawn.text()[0].hasPrefix("Start  █╱█"))
    #expect(Self.waterfall(60, [60, -20]).axis.lowerBound <= 0)
    #expect(Self.waterfall(0, [5, -5]).axis.lowerBound <= 0)
    #expect(Self.waterfall(7, []).axis.lowerBound <= 0)
  }

  @Test(
    arguments: [
      (0, []), (7, [0]), (-50, [50, -1]), (1e7, [-1e6, 1e6, 3]), (4, [-9, 12, -0.5]),
      (1776, [95, -62, -1e6]),
      (1e7, [0.25, -0.75]),
    ] as [(Double, [Double])])
  func `the axis contains every bar for any values`(_ start: Double, _ steps: [Double]) {
    let axis = Self.waterfall(start, steps).axis
    var here = start
    for step in [0] + steps {
      here += step
      #expect(axis.lowerBound <= here && here <= axis.upperBound)
    }
    #expect(axis.lowerBound < axis.upperBound)
  }

  @Test func `in a narrow room the bars go, the numbers stay`() {
    let chart = Self.waterfall(4, [6])
    let drawn = picture(9, 3) { canvas, rect in chart.draw(on: &canvas, in: rect) }.text()
    #expect(drawn == ["Start   4", "step 1 +6", "End    10"])
  }
}
