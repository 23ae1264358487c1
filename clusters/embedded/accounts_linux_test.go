package embedded

import (
	"reflect"
	"testing"

	"github.com/podburst/podburst/clusters"
)

func TestEveryInstanceHasAnAccountOfItsProcess(t *testing.T) {
	runs, ended := startFake(t, "exec sleep 100"), startFake(t, "exit 0")
	<-ended.done
	c := &Cluster{settings: settings{workers: []string{"node-1"}}, lives: map[clusters.Instance]*process{
		{Component: clusters.KubeScheduler}:           runs,
		{Component: clusters.Kubelet, Node: "node-1"}: ended,
	}}
	accounts, err := c.Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var want []clusters.Account
	for _, instance := range c.Instances() {
		account := clusters.Account{Name: instance.String()}
		if instance.Component == clusters.KubeScheduler {
			account.PIDs = []int{runs.pid}
		}
		want = append(want, account)
	}
	if len(want) != 5 || !reflect.DeepEqual(accounts, want) {
		t.Errorf("got  %+v\nwant %+v", accounts, want)
	}
}
