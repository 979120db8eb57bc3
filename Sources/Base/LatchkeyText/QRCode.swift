import CQREncode
package import LatchkeySecrets

/// A QR code (ISO/IEC 18004) of bytes. It uses the lowest error correction level, L, because a code on a screen is not
/// damaged.
///
/// The modules are as secret as the encoded bytes.
package struct QRCode: Sendable {
    /// The number of modules per side, without a quiet zone: 21 to 177.
    package let size: Int
    /// One byte per module, row by row. The lowest bit is set if the module is dark.
    private let modules: Secret

    /// Encodes 1 to 2953 bytes; nil for any other number.
    ///
    /// libqrencode does not wipe its copies before it frees them.
    package init?(_ content: Secret) {
        let code = unsafe content.withBytes { content in
            unsafe content.withUnsafeBufferPointer { bytes in
                unsafe QRcode_encodeData(Int32(clamping: bytes.count), bytes.baseAddress, 0, QR_ECLEVEL_L)
            }
        }
        guard let code = unsafe code else { return nil }
        defer { unsafe QRcode_free(code) }
        let size = unsafe Int(code.pointee.width)
        guard let data = unsafe code.pointee.data, size > 0 else { return nil }
        let all = unsafe UnsafeMutableBufferPointer(start: data, count: size * size)
        defer { unsafe all.update(repeating: 0) }
        self.size = size
        modules = unsafe Secret(copying: UnsafeBufferPointer(all).span)
    }

    /// Whether a module is dark. Modules outside the code are light.
    package func isDark(column: Int, row: Int) -> Bool {
        guard 0..<size ~= column, 0..<size ~= row else { return false }
        return modules.withBytes { $0[row * size + column] & 1 == 1 }
    }
}
