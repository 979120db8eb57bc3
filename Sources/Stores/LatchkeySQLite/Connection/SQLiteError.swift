import CSQLite
import Glibc
public import LatchkeyAccounts

/// A failure of SQLite, or a problem with the file that Latchkey found before SQLite read it.
public enum SQLiteError: Error, Equatable {
    /// An extended result code, and the system's `errno` or 0.
    case library(code: Int32, systemCode: Int32)
    /// A newer version wrote the file.
    case newer(schema: Int)
    /// No migration leads from this old version.
    case tooOld(schema: Int)
    /// SQLite ignored a setting.
    case settingRefused

    /// The file is damaged. For example, it contains a row that Latchkey's statements cannot have written.
    public static let corrupt = SQLiteError.library(code: SQLITE_CORRUPT, systemCode: 0)
    package static let interrupted = SQLiteError.library(code: SQLITE_INTERRUPT, systemCode: 0)
    /// `SQLITE_CONSTRAINT_FOREIGNKEY`.
    package static let missingReference = SQLiteError.library(code: SQLITE_CONSTRAINT | 3 << 8, systemCode: 0)
    static let notAStore = SQLiteError.library(code: SQLITE_NOTADB, systemCode: 0)

    init(code: Int32, systemCode: Int32 = 0) { self = .library(code: code, systemCode: systemCode) }

    private var code: Int32 {
        if case .library(let code, _) = self { code } else { SQLITE_OK }
    }

    /// Whether a row with this key already exists.
    public var isUniqueViolation: Bool {
        code == SQLITE_CONSTRAINT | 8 << 8 || code == SQLITE_CONSTRAINT | 6 << 8  // _UNIQUE, _PRIMARYKEY
    }

    /// Whether the referenced row does not exist.
    public var isForeignKeyViolation: Bool { self == .missingReference }

    var accountError: AccountError { .store(storeError) }

    /// The ``StoreError`` for a failure to open or use the file at `path`.
    func storeError(at path: String) -> StoreError {
        switch self {
        case .library(let code, EACCES) where code & 0xFF == SQLITE_CANTOPEN: .denied(path: path)
        case .library(let code, ENOENT) where code & 0xFF == SQLITE_CANTOPEN: .missing
        default: storeError
        }
    }

    /// The same failure as a `StoreError`.
    public var storeError: StoreError {
        switch self {
        case .newer(let schema): .newer(schema: schema)
        case .tooOld(let schema): .tooOld(schema: schema)
        case .settingRefused: .settingRefused
        // A quota or a file size limit also means that the disk is full, but SQLite only recognizes ENOSPC.
        case .library(let code, let systemCode)
        where code & 0xFF == SQLITE_IOERR && [ENOSPC, EDQUOT, EFBIG].contains(systemCode):
            .full
        case .library(let code, let systemCode)
        where code & 0xFF == SQLITE_NOMEM || (code & 0xFF == SQLITE_IOERR && systemCode == ENOMEM)
            || code == SQLITE_IOERR | 12 << 8:  // _NOMEM
            .outOfMemory
        case .library(let code, let systemCode):
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_NOTADB: .notAStore
            // On a disk that has become read-only, SQLite could not create a journal and then looked for one to read.
            // Callers that open a database handle ENOENT themselves.
            case SQLITE_CANTOPEN where systemCode == ENOENT: .readOnly
            default: .failed(resultCode: code)
            }
        }
    }
}
