// Package github tells a GitHub Actions workflow how a run ended: the step
// summary, the step's outputs, and annotations with the messages of what is not
// pass. Everything comes from environment variables that the runner sets; where
// they are not set, nothing happens.
//
// It calls no API and needs no token, so it works in a pull request from a fork.
// The files' and commands' formats are GitHub's "Workflow commands for GitHub
// Actions"; names and messages come from clusters and are hostile text.
package github
