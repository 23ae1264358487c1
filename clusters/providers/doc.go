// Package providers chooses among the providers, so that the suite and the CLI
// take the same one for the same words and say why.
package providers
