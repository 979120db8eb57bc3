nil                                                                                                                             

// original-source-range: /work/main/Sources/LatchkeyProvisioning/Writing/AccountService+Import.swift:85:32-85:42
