package kind

import (
	"context"
	"fmt"
	"net/url"

	"github.com/podburst/podburst/clusters"
)

// askScript requests a URL with the administrator's certificate from the node's
// admin.conf. curl needs it in files, which are made once, in memory and
// readable by root only. (The API server's certificate for calling kubelets is
// already a file, but from kubeadm 1.37 on it is allowed nothing else.) A CPU profile
// takes up to 5 s and, on a full machine, some more.
const askScript = `set -e
dir=/run/podburst
if [ ! -e $dir/key ]; then
  umask 077
  mkdir -p $dir
  for part in certificate key; do
    sed -n "s/^ *client-$part-data: //p" /etc/kubernetes/admin.conf | base64 -d >$dir/$part.$$
    mv $dir/$part.$$ $dir/$part
  done
fi
exec curl --silent --show-error --fail --max-time 30 --insecure --cert $dir/certificate --key $dir/key "$1"`

// Metrics implements clusters.Cluster. The API server answers for itself and
// for the kubelets. The other components listen inside their node only, where
// curl asks them.
func (c *Cluster) Metrics(ctx context.Context, instance clusters.Instance) ([]byte, error) {
	text, err := c.ask(ctx, instance, "/metrics")
	if err != nil {
		return nil, fmt.Errorf("read metrics of %s: %w", instance, err)
	}
	return text, nil
}

// ask returns an instance's answer at a path.
func (c *Cluster) ask(ctx context.Context, instance clusters.Instance, path string) ([]byte, error) {
	node, err := c.nodeOf(instance)
	if err != nil {
		return nil, err
	}
	switch {
	case instance.Component == clusters.Kubelet:
		return c.client.get(ctx, "/api/v1/nodes/"+url.PathEscape(node)+"/proxy"+path)
	case instance.Component == clusters.KubeAPIServer && len(c.controlPlanes) == 1:
		return c.client.get(ctx, path)
	case instance.Component == clusters.KubeAPIServer:
		return nil, fmt.Errorf("%w: behind a load balancer it cannot be told which API server answers", clusters.ErrUnsupported)
	}
	// Insecure: each component signs its own certificate when it starts.
	return c.inNode(ctx, node, "sh", "-c", askScript, "sh", instance.Component.Local()+path)
}
