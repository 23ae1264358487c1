package verdict

// Exit codes of podburst's commands and of the suite. Codes 2 (bad input) and 130
// (interrupted) have no verdict.
const (
	ExitPass         = 0
	ExitInternal     = 1
	ExitUsage        = 2
	ExitInvalid      = 3
	ExitFail         = 4
	ExitRegressed    = 5
	ExitInconclusive = 6
	ExitInterrupted  = 130
)

// ExitCode is the process exit code of a verdict. Inconclusive counts as passed with a
// warning, unless strict is set.
func (v Verdict) ExitCode(strict bool) int {
	switch v {
	case Pass:
		return ExitPass
	case Fail:
		return ExitFail
	case Regressed:
		return ExitRegressed
	case Invalid:
		return ExitInvalid
	case Inconclusive:
		if strict {
			return ExitInconclusive
		}
		return ExitPass
	}
	return ExitInternal
}
