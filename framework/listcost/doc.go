// Package listcost measures what listing and watching pods costs an API server
// and its clients: does the way in which a client lists and watches change load
// and latency?
//
// Two questions are asked of one cluster, with the same pods. How do ways to list
// N pods compare (Strategies: in pages or whole, from the watch cache or
// consistent, whole objects or metadata only, protobuf or JSON, one answer or a
// stream)? And how do two client styles compare, when several consumers want the
// same pods: an informer of their own for each, or one that they share (Styles)?
//
// Everything is counted at the client's HTTP transport, from bodies as they are
// read, and matched with the API server's audit log by the ID that it puts into
// each answer. Tries are interleaved: each round makes every try once, in random
// order, so that what drifts falls on all. What is observed is written down
// (Observation); what it amounts to is judged from that by Judge, with no
// cluster.
//
// The pods are never scheduled, so that no kubelet takes part. It is not a load
// test: requests follow one another.
package listcost
