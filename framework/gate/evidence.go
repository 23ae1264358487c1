package gate

import "time"

// Evidence is the run that the margins rest on: blocks in which both arms were the same
// (A/A).
type Evidence struct {
	// Provider is what made the clusters.
	Provider string `json:"provider"`
	// When is the time of the run.
	When time.Time `json:"when"`
	// Run is the ID of the run.
	Run string `json:"run"`
	// Blocks is how many valid blocks the run had.
	Blocks int `json:"blocks"`
	// Pods is how many pods each burst of the run had.
	Pods int `json:"pods"`
	// Endpoints are in the order of those that are gated.
	Endpoints []EndpointEvidence `json:"endpoints"`
}

// EndpointEvidence is what the A/A blocks show of one endpoint, to four digits after the
// point.
type EndpointEvidence struct {
	// Endpoint is the name of the endpoint: "makespan", "submit_to_ready/p90".
	Endpoint string `json:"endpoint"`
	// Noise is the robust standard deviation of a block's log ratio.
	Noise float64 `json:"noise"`
	// CV is about the coefficient of variation of all bursts (the robust standard
	// deviation of their logarithms), which includes drift of the machine. Noise well
	// below 1.41 times that is what pairing gains.
	CV float64 `json:"cv"`
	// Ratio is the Hodges-Lehmann estimate of the arms' ratio, which should be 1.
	Ratio float64 `json:"ratio"`
	// Low is the lower bound of the ratio at 95 %. Absent with fewer than 5 blocks.
	Low *float64 `json:"low,omitempty"`
	// High is the upper bound of the ratio at 95 %. Absent with fewer than 5 blocks.
	High *float64 `json:"high,omitempty"`
}
