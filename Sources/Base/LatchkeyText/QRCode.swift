import CQREncode
package import LatchkeySecrets

/// A QR code (ISO/IEC 18004) of bytes. It has the lowest error correction, L, because a screen gets no scratches.
///
/// The modules are as secret as the bytes.
package struct QRCode: Sendable {
    /// The modules of a side, without a quiet zone: 21 to 177.
    package let size: Int
    /// A byte for each module, row by row. Its lowest bit is set if the module is dark.
    private let modules: Secret

    /// Encodes bytes; nil unless there are 1 to 2953.
    ///
    /// libqrencode frees its own copies without wiping them.
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

    /// Whether a module is dark. Outside of the code, all are light.
    package func isDark(column: Int, row: Int) -> Bool {
        guard 0..<size ~= column, 0..<size ~= row else { return false }
        return modules.withBytes { $0[row * size + column] & 1 == 1 }
    }
}
