package hollow

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/cli/globalflag"
	"k8s.io/component-base/logs"
	logsapi "k8s.io/component-base/logs/api/v1"
	metricsfeatures "k8s.io/component-base/metrics/features"
	"k8s.io/component-base/term"
	"k8s.io/component-base/version"
	"k8s.io/component-base/version/verflag"
	"k8s.io/klog/v2"
)

// CommandName is the command's name.
const CommandName = "hollow-kubelet"

// NewCommand returns the command that runs one hollow node until it is
// interrupted or terminated; then it returns without an error.
func NewCommand(ctx context.Context) *cobra.Command {
	o, err := newOptions()
	cmd := &cobra.Command{
		Use:   CommandName,
		Short: "Run the kubelet on a simulated machine",
		Long: `Run the kubelet on a simulated machine: a node that registers, takes pods and
reports on them as any other, with the kubelet's own code and limits, but whose
containers are records in memory. It needs no privileges, listens on loopback
only and keeps its files below --root-dir.

Example:
  hollow-kubelet --name node-1 --kubeconfig node-1.conf --root-dir node-1 \
    --port 10251 --client-ca-file ca.crt --tls-cert-file node-1.crt --tls-private-key-file node-1.key`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			verflag.PrintAndExitIfRequested()
			if err != nil {
				return err
			}
			if err := o.complete(cmd.Flags()); err != nil {
				return err
			}
			if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(o.kubelet.FeatureGates); err != nil {
				return fmt.Errorf("set --feature-gates: %w", err)
			}
			metricsfeatures.ApplyFeatureGates(utilfeature.DefaultFeatureGate)
			logs.InitLogs()
			if err := logsapi.ValidateAndApply(&o.kubelet.Logging, utilfeature.DefaultFeatureGate); err != nil {
				return fmt.Errorf("set up logging: %w", err)
			}
			cliflag.PrintFlags(cmd.Flags())

			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			klog.FromContext(ctx).Info("Hollow kubelet", "version", version.Get().GitVersion)
			return run(ctx, o)
		},
	}
	cmd.SetContext(ctx)
	if err != nil {
		return cmd
	}

	var flags cliflag.NamedFlagSets
	o.addFlags(&flags)
	verflag.AddFlags(flags.FlagSet("global"))
	globalflag.AddGlobalFlags(flags.FlagSet("global"), cmd.Name(), logs.SkipLoggingConfigurationFlags())
	for _, set := range flags.FlagSets {
		cmd.Flags().AddFlagSet(set)
	}
	columns, _, _ := term.TerminalSize(cmd.OutOrStdout())
	cliflag.SetUsageAndHelpFunc(cmd, flags, columns)
	return cmd
}
