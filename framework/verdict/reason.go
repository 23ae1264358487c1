package verdict

// Reason is why a verdict is not pass.
type Reason struct {
	// Verdict is what this reason alone would make of the run.
	Verdict Verdict `json:"verdict" jsonschema:"enum=fail,enum=regressed,enum=inconclusive,enum=invalid"`
	// Subject is what it is about, in parts for programs.
	Subject Subject `json:"subject"`
	// Message is a sentence for people that names the subject.
	Message string `json:"message"`
}

// Subject is what a reason is about. Parts that do not apply are absent; without any it
// is the run as a whole.
type Subject struct {
	// Profile is the cluster configuration; of a comparison, the head.
	Profile string `json:"profile,omitempty"`
	// Base is the profile that Profile is compared with.
	Base string `json:"base,omitempty"`
	// Burst is the profile's burst, from 1.
	Burst int `json:"burst,omitempty" jsonschema:"minimum=1"`
	// Check is an objective's name.
	Check string `json:"check,omitempty"`
	// Call is the kind of requests to the API server that the objective's check is about.
	Call string `json:"call,omitempty"`
	// Endpoint is what was compared.
	Endpoint string `json:"endpoint,omitempty"`
}

// String returns the reason's sentence.
func (r Reason) String() string { return r.Message }
