// Package docs reads the documentation for the tests that keep it true: its links,
// its commands, and the reference of podburst's YAML files, which is generated from
// the Go types. It is for tests only.
package docs
