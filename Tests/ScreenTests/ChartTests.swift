import Screen
import TestSupport
import Testing

@Suite struct ChartTests {
  @Test func `a sparkline rises from the first eighth, and keeps gaps apart from zeros`() {
    let line = Sparkline([0, 1, 2, 3, 4, 5, 6, 7, 8, nil, 8])
    let draw = { (canvas: inout Canvas, rect: Rect) in line.draw(on: &canvas, in: rect) }
    #expect(picture(11, 1, draw).text() == ["▁▁▂▃▄▅▆▇█ █"])
    #expect(picture(11, 1, .ascii, draw).text() == ["__.:-=+*# #"])
    #expect(picture(13, 1, draw).text() == ["  ▁▁▂▃▄▅▆▇█ █"])
    #expect(picture(3, 1, draw).text() == ["█ █"])
    #expect(picture(11, 2, draw).text() == ["     ▂▄▆█ █", "▁▂▄▆█████ █"])
  }

  @Test func `a sparkline without anything to measure by is flat`() {
    let draw = { (values: [Double?], ceiling: Double?) in
      picture(4, 1) { canvas, rect in Sparkline(values, ceiling: ceiling).draw(on: &canvas, in: rect) }.text()
    }
    #expect(draw([0, 0], nil) == ["  ▁▁"])
    #expect(draw([-1, .nan, .infinity, 4], nil) == ["▁  █"])
    #expect(draw([5, 50], 10) == ["  ▄█"])
    #expect(draw([], nil) == [""])
    #expect(draw([nil, nil], nil) == [""])
  }

  static let churn = [
    Bar(label: "1 cancelled", value: 80, text: "80", .info),
    Bar(label: TextSpan("2 billing error", .dim), value: 37, text: "37", .bad),
    Bar(label: "unknown 漢", value: 0, text: "0"),
  ]

  @Test func `bars in ASCII and in a narrow room`() {
    let ascii = picture(36, 2, .ascii) { canvas, rect in canvas.bars(Self.churn, in: rect) }
    #expect(ascii.text()[1] == "2 billing error ########          37")
    let narrow = picture(14, 3) { canvas, rect in canvas.bars(Self.churn, in: rect) }
    #expect(narrow.text() == ["1 ca… █████ 80", "2 bi… ██▍   37", "unkn…        0"])
    let named = picture(24, 3) { canvas, rect in canvas.bars(Self.churn, in: rect) }
    #expect(named.text()[1].hasPrefix("2 billing error ██"))
  }

  @Test(
    arguments: [
      (0, "░░░░░░░░ 1 of 2"),
      (0.5, "████░░░░ 1 of 2"),
      (0.55, "████▍░░░ 1 of 2"),
      (0.0001, "▏░░░░░░░ 1 of 2"),
      (1, "████████ 1 of 2"),
      (7, "████████ 1 of 2"),
      (-1, "░░░░░░░░ 1 of 2"),
      (nil, "░░░░░░░░ 1 of 2"),
    ] as [(Double?, String)])
  func `a gauge fills`(_ fraction: Double?, _ expected: String) {
    let canvas = picture(15, 1) { canvas, rect in
      canvas.gauge(fraction, caption: "1 of 2", in: rect)
    }
    #expect(canvas.text() == [expected])
  }

  @Test func `a gauge gives its caption up before its bar`() {
    let canvas = picture(9, 1, .ascii) { canvas, rect in
      canvas.gauge(0.5, caption: "1 of 2", in: rect)
    }
    #expect(canvas.text() == ["#####...."])
    #expect(canvas.styleText() == ["aaaaatttt"])
  }
}
