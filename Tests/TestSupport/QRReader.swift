import Foundation

/// Reads QR codes with `zbarimg`.
public enum QRReader {
    private static let program = "/usr/bin/zbarimg"

    /// Whether the program is installed (Debian's zbar-tools).
    public static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    /// The content of the code in an image; nil if the image has none.
    ///
    /// - Parameter isDark: whether a module is dark. The area around the code is grey.
    public static func read(columns: Int, rows: Int, isDark: (_ column: Int, _ row: Int) -> Bool) throws -> String? {
        let scale = 4
        var picture = "P2\n\(columns * scale + 2) \(rows * scale + 2) 2\n"
        for y in -1...rows * scale {
            for x in -1...columns * scale {
                let isInside = 0..<columns * scale ~= x && 0..<rows * scale ~= y
                picture += !isInside ? "1\n" : isDark(x / scale, y / scale) ? "0\n" : "2\n"
            }
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "code-\(UUID().uuidString).pgm")
        try Data(picture.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = SpawnedProcess()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = ["--quiet", "--raw", "--nodbus", file.path]
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
