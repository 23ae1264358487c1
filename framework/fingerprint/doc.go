// Package fingerprint describes the machine and the tools that a run was recorded
// with, so that results of different machines are not compared by mistake. It reads
// the kernel's own files through an fs.FS that tests replace. What cannot be read
// stays empty; nothing is guessed.
package fingerprint
