package embedded

import (
	"runtime"
	"sync"
)

// spawner starts children on one thread, which lives as long as the process.
//
// It is the package's only mutable global, and it must be global: the kernel
// sends the parent-death signal when the *thread* that made a child ends. Go
// may end any thread, except one that a goroutine has locked and never unlocks.
// One such thread serves all clusters; it holds no state.
var spawner = sync.OnceValue(func() chan<- func() {
	jobs := make(chan func())
	go func() {
		runtime.LockOSThread()
		for job := range jobs {
			job()
		}
	}()
	return jobs
})

// onSpawner runs start on the spawner's thread.
func onSpawner(start func() error) error {
	result := make(chan error, 1)
	spawner() <- func() { result <- start() }
	return <-result
}
