import LatchkeyCommandLine

await CommandLineTool.runBenchmarks()
