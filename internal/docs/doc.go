// Package docs reads the documentation for the tests that keep it true: its links and
// its commands. It is for tests only.
package docs
