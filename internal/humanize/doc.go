// Package humanize writes numbers, names and lists as people read them. It is
// the only place that does, so that a duration looks the same in the terminal,
// on the page and in a message, and text from outside is always made safe in
// the same way.
package humanize
