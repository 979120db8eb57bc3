nil                                                                                                                             

// original-source-range: /work/main/Sources/LatchkeyPostgres/PostgresAccountStore.swift:123:46-123:56
