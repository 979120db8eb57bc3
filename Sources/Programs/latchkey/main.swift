import LatchkeyCommandLine

CommandLineTool.start()
