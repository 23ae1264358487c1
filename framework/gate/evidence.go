package gate

import "time"

// Evidence says on what the margins of Criteria rest: blocks in which both arms were
// the same (A/A).
type Evidence struct {
	Provider string `json:"provider"`
	// When the run was, and its id.
	When time.Time `json:"when"`
	Run  string    `json:"run"`
	// Blocks were valid, of bursts of so many Pods.
	Blocks int `json:"blocks"`
	Pods   int `json:"pods"`
	// Endpoints are in the order of the criteria's.
	Endpoints []EndpointEvidence `json:"endpoints"`
}

// EndpointEvidence is what A/A blocks show of one endpoint, to four digits after the
// point.
type EndpointEvidence struct {
	// Endpoint is a Criterion's Name.
	Endpoint string `json:"endpoint"`
	// Noise is the robust standard deviation of a block's log ratio; see Result.Noise.
	Noise float64 `json:"noise"`
	// CV is about the coefficient of variation of all bursts (the robust standard
	// deviation of their logarithms), which a drift of the machine is part of. Noise
	// well below 1.41·CV is what pairing gained.
	CV float64 `json:"cv"`
	// Ratio is the Hodges-Lehmann estimate of the arms' ratio, which should be 1, and
	// Low and High are its bounds at 95 % each; both absent below 5 blocks.
	Ratio float64  `json:"ratio"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}
