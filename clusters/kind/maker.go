package kind

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"
	"sigs.k8s.io/kind/pkg/cluster"
	"sigs.k8s.io/kind/pkg/exec"
	"sigs.k8s.io/kind/pkg/log"

	"github.com/podburst/podburst/internal/command"
)

// maker is what this package needs from kind. None of it takes a context.
type maker interface {
	// create makes the nodes and lets kubeadm set them up. If it fails, what it
	// made stays.
	create(config *v1alpha4.Cluster, kubeconfig string) error
	// collectLogs writes the nodes' logs into a folder.
	collectLogs(name, dir string) error
}

// library is kind itself.
type library struct {
	provider *cluster.Provider
}

func newMaker(progress func(string)) maker {
	return library{cluster.NewProvider(cluster.ProviderWithDocker(), cluster.ProviderWithLogger(logger{progress}))}
}

func (l library) create(config *v1alpha4.Cluster, kubeconfig string) error {
	return l.provider.Create(config.Name,
		cluster.CreateWithV1Alpha4Config(config),
		// Never the user's own.
		cluster.CreateWithKubeconfigPath(kubeconfig),
		// Logs are collected first, and only what is ours is removed.
		cluster.CreateWithRetain(true),
	)
}

func (l library) collectLogs(name, dir string) error { return l.provider.CollectLogs(name, dir) }

// logger passes on kind's steps as lines of progress.
type logger struct {
	progress func(string)
}

func (l logger) say(text string) {
	// kind animates and decorates its lines for terminals.
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, text)
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		l.progress("kind: " + text)
	}
}

func (l logger) Warn(message string)               { l.say(message) }
func (l logger) Warnf(format string, args ...any)  { l.say(fmt.Sprintf(format, args...)) }
func (l logger) Error(message string)              { l.say(message) }
func (l logger) Errorf(format string, args ...any) { l.say(fmt.Sprintf(format, args...)) }
func (l logger) V(level log.Level) log.InfoLogger {
	if level > 0 {
		return log.NoopInfoLogger{}
	}
	return infoLogger{l}
}

type infoLogger struct{ logger }

func (l infoLogger) Info(message string)              { l.say(message) }
func (l infoLogger) Infof(format string, args ...any) { l.say(fmt.Sprintf(format, args...)) }
func (l infoLogger) Enabled() bool                    { return true }

// noise matches lines of kubeadm's output that do not say why it failed: its
// request log and its stack traces. kind runs kubeadm with high verbosity.
var noise = regexp.MustCompile(`(?m)^(I\d{4} .*|[\w./-]+\.[\w.()*]+(\(.*\))?|\t\S+:\d+)\r?$`)

// shownLines is how many lines of a failed command's output an error shows.
const shownLines = 20

// explainMaker adds the output of kubeadm, or of whatever else kind ran, to
// kind's error.
func explainMaker(err error) error {
	var failed *exec.RunError
	if !errors.As(err, &failed) {
		return explainEngine(err)
	}
	shown := command.LastLines(noise.ReplaceAllString(string(failed.Output), ""), shownLines)
	// kind's error text is the command and its exit code; the reason is in the
	// output.
	return explainEngine(errors.Join(err, errors.New(shown)))
}
