// Package providers chooses among the providers, so that the suite and the CLI
// make the same choice for the same words and say why.
package providers
