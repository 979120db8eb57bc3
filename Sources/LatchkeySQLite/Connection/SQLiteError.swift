import CSQLite
import Glibc
public import LatchkeyAccounts

/// What the library said, or what we found wrong with the file before it could.
public enum SQLiteError: Error, Equatable {
    /// An extended result code, and the system's `errno` behind it, or 0.
    case library(code: Int32, systemCode: Int32)
    case newer(schema: Int)
    /// The library did not take a setting.
    case settingRefused

    /// Damage: above all a row that our own statements cannot have written.
    public static let corrupt = SQLiteError.library(code: SQLITE_CORRUPT, systemCode: 0)
    static let notAStore = SQLiteError.library(code: SQLITE_NOTADB, systemCode: 0)

    init(code: Int32, systemCode: Int32 = 0) { self = .library(code: code, systemCode: systemCode) }

    private var code: Int32 {
        if case .library(let code, _) = self { code } else { SQLITE_OK }
    }

    /// A row with that key is there already.
    public var isUniqueViolation: Bool {
        code == SQLITE_CONSTRAINT | 8 << 8 || code == SQLITE_CONSTRAINT | 6 << 8  // _UNIQUE, _PRIMARYKEY
    }

    /// The row that is referred to is not there.
    public var isForeignKeyViolation: Bool { code == SQLITE_CONSTRAINT | 3 << 8 }  // _FOREIGNKEY

    var accountError: AccountError { .store(storeError) }

    /// What it means for whoever uses the database.
    public var storeError: StoreError {
        switch self {
        case .newer(let schema): .newer(schema: schema)
        case .settingRefused: .settingRefused
        // A quota and a limit for files are "full" too; the library knows ENOSPC alone.
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
            // A journal that cannot be made, on a disk that has meanwhile become read-only: the library then asks for it to
            // read, and there is none. Whoever opens a database knows that ENOENT is about that.
            case SQLITE_CANTOPEN where systemCode == ENOENT: .readOnly
            default: .failed(resultCode: code)
            }
        }
    }
}
