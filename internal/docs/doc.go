// Package docs reads the documentation for the tests that keep its links and
// commands correct. It is for tests only.
package docs
