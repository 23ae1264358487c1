// Package causes is the cause lab: it injects one known cause into live bursts and asks
// framework/station for it. What is injected is listed in All; a Note beside each
// recording says what was done to which burst; judging and the table are functions of
// recordings and notes, so that a kept recording can be judged again without a cluster.
//
// The injections themselves need a live cluster and are in this folder's tests
// (`make cause-lab`; a short form is part of `make test-integration`).
package causes
