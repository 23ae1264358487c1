// Package builder compiles the control-plane binary of clusters/controlplane
// once and caches it by content, so that the embedded provider starts at once
// on every later run.
//
// It is not a general build tool: it knows one module, one set of flags and one
// platform (the one it runs on). The binary has its own module because it
// requires k8s.io/kubernetes, which podburst's main module must not.
package builder
