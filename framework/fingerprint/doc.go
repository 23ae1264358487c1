// Package fingerprint says on what machine and with what tools a run was
// recorded, so that results of unlike machines are not compared by mistake.
// It reads the kernel's own files, through an fs.FS that tests replace; what
// cannot be read stays empty rather than guessed.
package fingerprint
