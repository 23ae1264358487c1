package embedded

import (
	"fmt"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// kubeconfig encodes a client configuration with its certificates embedded.
func kubeconfig(cluster, server string, authorityPEM []byte, user string, credentials pair) ([]byte, error) {
	content, err := clientcmd.Write(clientcmdapi.Config{
		Clusters: map[string]*clientcmdapi.Cluster{
			cluster: {Server: server, CertificateAuthorityData: authorityPEM},
		},
		AuthInfos: map[string]*clientcmdapi.AuthInfo{
			user: {ClientCertificateData: credentials.certificate, ClientKeyData: credentials.key},
		},
		Contexts: map[string]*clientcmdapi.Context{
			cluster: {Cluster: cluster, AuthInfo: user},
		},
		CurrentContext: cluster,
	})
	if err != nil {
		return nil, fmt.Errorf("write the kubeconfig of %s: %w", user, err)
	}
	return content, nil
}
