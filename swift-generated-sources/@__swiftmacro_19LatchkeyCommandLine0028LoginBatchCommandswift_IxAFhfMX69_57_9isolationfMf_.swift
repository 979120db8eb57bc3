nil                                                                                                                             

// original-source-range: /work/main/Sources/LatchkeyCommandLine/Commands/LoginBatchCommand.swift:70:58-70:68
