package embedded

// auditPolicy records who did what and when for every request, and the content
// of those that mark a pod's life: made by the Job controller (whose response
// holds the pod's UID), bound by the scheduler, status written by the kubelet.
// Secrets are never written with their content: only the listed resources are.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
omitManagedFields: true
rules:
- level: Request
  verbs: [create]
  resources:
  - group: ""
    resources: [pods/binding]
- level: Request
  verbs: [patch, update]
  resources:
  - group: ""
    resources: [pods/status]
- level: RequestResponse
  verbs: [create]
  resources:
  - group: ""
    resources: [pods]
  - group: batch
    resources: [jobs]
- level: Metadata
`
