nil                                                                                                                             

// original-source-range: /work/main/Sources/LatchkeyCommandLine/Composition/Installation+Administration.swift:81:56-81:66
