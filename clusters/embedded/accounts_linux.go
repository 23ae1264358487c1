package embedded

import (
	"context"

	"github.com/podburst/podburst/clusters"
)

var _ clusters.Accountant = (*Cluster)(nil)

// Accounts implements clusters.Accountant: one for every instance.
func (c *Cluster) Accounts(context.Context) ([]clusters.Account, error) {
	var accounts []clusters.Account
	for _, instance := range c.settings.instances() {
		account := clusters.Account{Name: instance.String()}
		if p := c.life(instance); p != nil && p.running() {
			account.PIDs = []int{p.pid}
		}
		accounts = append(accounts, account)
	}
	return accounts, nil
}
