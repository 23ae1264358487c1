//go:build !linux

package nodeimage

// The image can be built on Linux only: debootstrap needs its kernel.
func freeBytes(string) int64 { return -1 }
