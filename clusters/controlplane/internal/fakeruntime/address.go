package fakeruntime

import (
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
)

// podNetwork is set aside for benchmarks (RFC 2544): it is routed nowhere, so
// that a pod's address can never be that of somebody's machine.
var podNetwork = netip.MustParsePrefix("198.18.0.0/15")

// addressPool gives each pod of a node an address of its own. Pools of two
// nodes start at different places by their names' hash, so that pods of
// different nodes share an address only by chance.
type addressPool struct {
	next  uint32
	inUse map[netip.Addr]bool
}

func newAddressPool(nodeName string) addressPool {
	// Names of nodes often differ in the last digit alone: a hash that spreads
	// such names over the whole network is needed, which FNV's do not.
	hash := sha256.Sum256([]byte(nodeName))
	return addressPool{next: binary.BigEndian.Uint32(hash[:4]), inUse: map[netip.Addr]bool{}}
}

// take returns an address that no living pod of the node has. It panics when
// all of the network's 131,072 addresses are taken, which no node's pod limit allows.
func (p *addressPool) take() netip.Addr {
	size := uint32(1) << (32 - podNetwork.Bits())
	base := podNetwork.Addr().As4()
	for range size {
		var raw [4]byte
		binary.BigEndian.PutUint32(raw[:], binary.BigEndian.Uint32(base[:])+p.next%size)
		p.next++
		address := netip.AddrFrom4(raw)
		// The last octets 0 and 255 are left out because they look like a
		// network's and its broadcast address.
		if raw[3] == 0 || raw[3] == 255 || p.inUse[address] {
			continue
		}
		p.inUse[address] = true
		return address
	}
	panic("fakeruntime: every pod address is in use")
}

func (p *addressPool) release(address netip.Addr) { delete(p.inUse, address) }
