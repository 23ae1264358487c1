// Package command runs child programs to their end: one injectable Runner, an
// error that shows the command line to paste and what the program said, and
// cancellation that reaches what the program started as well.
//
// It is not for children that outlive the call that started them: those are
// supervised where they are started (clusters/embedded).
package command
