// Package command runs child programs to their end. It has one injectable
// Runner, an error that shows the command line to paste and what the program
// said, and cancellation that also reaches what the program started.
//
// It is not for children that outlive the call: those are supervised where they
// are started (clusters/embedded).
package command
