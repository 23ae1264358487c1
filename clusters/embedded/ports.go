package embedded

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync"

	"github.com/podburst/podburst/internal/procfs"
)

// portPicker hands out free loopback ports, none of them twice.
//
// A port that is free now can be taken before a child binds it. Most often an
// outgoing connection would take it, so ports come from below the kernel's
// ephemeral range. What remains is another server that starts at that moment;
// Create then tries again with other ports.
type portPicker struct {
	low, high int // [low, high); high <= low: let the kernel choose

	mu    sync.Mutex
	given map[int]bool
}

// portSpan is how many ports just below the ephemeral range are used.
const portSpan = 12000

func newPortPicker() *portPicker {
	p := &portPicker{given: map[int]bool{}}
	if text, err := procfs.Local().Text("sys/net/ipv4/ip_local_port_range"); err == nil {
		var first, last int
		if _, err := fmt.Sscan(text, &first, &last); err == nil {
			p.low, p.high = max(first-portSpan, 10000), first
		}
	}
	return p
}

// pick returns n free ports.
func (p *portPicker) pick(n int) ([]int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ports := make([]int, 0, n)
	for tries := 0; len(ports) < n; tries++ {
		if tries > 50*n+1000 {
			return nil, fmt.Errorf("pick %d free loopback ports: found only %d", n, len(ports))
		}
		wanted := 0
		if p.high > p.low {
			wanted = p.low + rand.IntN(p.high-p.low) //nolint:gosec // Not a secret.
		}
		port, err := probe(wanted)
		if err != nil || p.given[port] {
			continue
		}
		p.given[port] = true
		ports = append(ports, port)
	}
	return ports, nil
}

// probe binds the port for a moment; 0 lets the kernel choose one.
func probe(port int) (int, error) {
	listener, err := listen(port)
	if err != nil {
		return 0, err
	}
	port = listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}

func listen(port int) (net.Listener, error) {
	return net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
}
