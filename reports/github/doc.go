// Package github tells a GitHub Actions workflow how a run ended: the step summary, the
// step's outputs, and annotations with the messages of everything that is not pass. It is
// driven by environment variables that the runner sets; where they are not set, it does
// nothing.
//
// It calls no API and needs no token, so it works in a pull request from a fork. The
// formats of files and commands are those of GitHub's "Workflow commands for GitHub
// Actions". Names and messages come from clusters and are hostile text.
package github
