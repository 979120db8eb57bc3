/// A sign that turns while something runs. Whoever draws it counts the steps: it knows no clock.
public enum Spinner {
    /// From one step to the next.
    public static let interval = Duration.milliseconds(100)

    private static let signs = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    private static let asciiSigns = ["-", "\\", "|", "/"]

    /// Which step is shown when so much time has passed, from 0.
    public static func step(after time: Duration) -> Int { max(0, Int(time / interval)) }

    /// One cell of text.
    public static func text(at step: Int, isUTF8: Bool) -> String {
        let signs = isUTF8 ? signs : asciiSigns
        return signs[max(step, 0) % signs.count]
    }
}
