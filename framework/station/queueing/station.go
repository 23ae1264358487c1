package queueing

// Bucket is client-go's limiter (k8s.io/client-go/util/flowcontrol): full at first, one
// token a request, refilled evenly, waits in the order of asking.
type Bucket struct {
	world      *World
	qps, burst float64
	tokens, at float64
	// Waited is how long requests waited, added up.
	Waited float64
}

// NewBucket makes a full bucket. Without a positive qps it limits nothing.
func NewBucket(w *World, qps float64, burst int) *Bucket {
	return &Bucket{world: w, qps: qps, burst: float64(burst), tokens: float64(burst)}
}

// Take has step happen once the bucket has given so many tokens for it.
func (b *Bucket) Take(tokens float64, step func()) {
	if b.qps <= 0 {
		step()
		return
	}
	now := b.world.Now()
	b.tokens = min(b.burst, b.tokens+(now-b.at)*b.qps)
	b.at = now
	// A negative count is the debt of the requests that wait.
	b.tokens -= tokens
	if b.tokens >= 0 {
		step()
		return
	}
	wait := -b.tokens / b.qps
	b.Waited += wait
	b.world.After(wait, step)
}

// Server serves so many at a time, in the order of asking.
type Server struct {
	places int
	queue  []func()
}

// NewServer makes a server with so many places, at least one.
func NewServer(places int) *Server { return &Server{places: max(1, places)} }

// Enter has step happen once there is a place; Leave frees it.
func (s *Server) Enter(step func()) {
	if s.places > 0 {
		s.places--
		step()
		return
	}
	s.queue = append(s.queue, step)
}

// Leave frees a place for the next in the queue.
func (s *Server) Leave() {
	if len(s.queue) == 0 {
		s.places++
		return
	}
	next := s.queue[0]
	s.queue = s.queue[1:]
	next()
}
