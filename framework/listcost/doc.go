// Package listcost measures what listing and watching pods costs an API server and
// its clients: does the way a client lists and watches change load and latency?
//
// It asks two questions of one cluster, with the same pods. First, how do ways to
// list N pods compare (Strategies: in pages or whole, from the watch cache or
// consistent, whole objects or metadata only, protobuf or JSON, one answer or a
// stream)? Second, how do two client styles compare when several consumers want the
// same pods: one informer each, or one that they share (Styles)?
//
// Everything is counted at the client's HTTP transport, from bodies as they are read.
// It is matched with the API server's audit log by the ID in each answer. Tries are
// interleaved: each round makes every try once, in random order, so that drift
// affects all alike. What is observed is written down (Observation); Judge judges it
// from that, without a cluster.
//
// The pods are never scheduled, so no kubelet takes part. It is not a load test:
// requests follow one another.
package listcost
