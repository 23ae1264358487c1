//go:build browser

package html_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// tab is a page in a headless chromium, driven by the DevTools protocol over a pipe: JSON
// messages, each ended by a zero byte, written to its file 3 and read from its file 4.
type tab struct {
	session string
	to      *os.File
	replies chan reply

	mu      sync.Mutex
	last    int
	console []string
	loaded  chan struct{}
}

type reply struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// patience is how long the browser may take for one action.
const patience = time.Minute

// openTab starts the browser and stops it at the end of the test. Without a browser the
// test is skipped.
func openTab(t *testing.T) *tab {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium in PATH: apt-get install -y --no-install-recommends chromium")
	}
	profile, err := os.MkdirTemp("", "podburst-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	read3, write3, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read4, write4, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.ExtraFiles = []*os.File{read3, write4}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = read3.Close()
	_ = write4.Close()
	b := &tab{to: write3, replies: make(chan reply, 16), loaded: make(chan struct{}, 16)}
	go b.listen(read4)
	t.Cleanup(func() {
		_ = b.send("Browser.close", nil)
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-done
		}
		// Its children keep writing for a moment; killing their process group ends them.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		for range 50 {
			if os.RemoveAll(profile) == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		_ = write3.Close()
		_ = read4.Close()
	})
	var target struct{ TargetID string }
	b.call(t, "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Accessibility"} {
		b.call(t, domain+".enable", nil, nil)
	}
	return b
}

// listen passes replies on and keeps what the console prints.
func (b *tab) listen(from *os.File) {
	in := bufio.NewReaderSize(from, 1<<20)
	for {
		line, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var r reply
		if json.Unmarshal(line[:len(line)-1], &r) != nil {
			continue
		}
		switch r.Method {
		case "":
			b.replies <- r
		case "Page.loadEventFired":
			b.loaded <- struct{}{}
		case "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown":
			b.mu.Lock()
			b.console = append(b.console, string(r.Params))
			b.mu.Unlock()
		}
	}
}

func (b *tab) send(method string, params any) error {
	b.last++
	message := map[string]any{"id": b.last, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" && method != "Browser.close" {
		message["sessionId"] = b.session
	}
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = b.to.Write(append(data, 0))
	return err
}

func (b *tab) call(t *testing.T, method string, params, result any) {
	t.Helper()
	if err := b.send(method, params); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	timeout := time.After(patience)
	for {
		select {
		case r := <-b.replies:
			switch {
			case r.ID != b.last:
				continue
			case r.Error != nil:
				t.Fatalf("%s: %s", method, r.Error)
			case result != nil:
				if err := json.Unmarshal(r.Result, result); err != nil {
					t.Fatalf("%s: %v", method, err)
				}
			}
			return
		case <-timeout:
			t.Fatalf("%s: no answer within %v", method, patience)
		}
	}
}

// emulate sets the window's width and the preferred color scheme.
func (b *tab) emulate(t *testing.T, width int, scheme string) {
	t.Helper()
	b.call(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.call(t, "Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// open loads the page and drops earlier console messages.
func (b *tab) open(t *testing.T, url string) {
	t.Helper()
	b.messages()
	for len(b.loaded) > 0 {
		<-b.loaded
	}
	b.call(t, "Page.navigate", map[string]any{"url": url}, nil)
	select {
	case <-b.loaded:
	case <-time.After(patience):
		t.Fatalf("%s did not load within %v", url, patience)
	}
}

// messages returns what the console printed, and clears it.
func (b *tab) messages() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.console
	b.console = nil
	return all
}

// evaluate runs an expression that returns a string. The page's policy does not apply to
// it.
func (b *tab) evaluate(t *testing.T, expression string) string {
	t.Helper()
	var r struct {
		Result           struct{ Value string }
		ExceptionDetails json.RawMessage
	}
	b.call(t, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		t.Fatalf("evaluate: %s", r.ExceptionDetails)
	}
	return r.Result.Value
}

func (b *tab) key(t *testing.T, key string) {
	t.Helper()
	code := map[string]int{"Tab": 9, "Enter": 13}[key]
	down := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code}
	if key == "Enter" {
		down["text"] = "\r"
	}
	b.call(t, "Input.dispatchKeyEvent", down, nil)
	b.call(t, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
}

// screenshot returns the whole page as PNG.
func (b *tab) screenshot(t *testing.T, width int) []byte {
	t.Helper()
	var size struct{ CSSContentSize struct{ Height float64 } }
	b.call(t, "Page.getLayoutMetrics", nil, &size)
	return b.data(t, "Page.captureScreenshot", map[string]any{
		"captureBeyondViewport": true, "clip": map[string]any{"x": 0, "y": 0, "width": width, "height": min(size.CSSContentSize.Height, 16000), "scale": 1},
	})
}

// print returns the page as PDF.
func (b *tab) print(t *testing.T) []byte {
	t.Helper()
	return b.data(t, "Page.printToPDF", map[string]any{"printBackground": true, "preferCSSPageSize": true})
}

func (b *tab) data(t *testing.T, method string, params any) []byte {
	t.Helper()
	var r struct{ Data string }
	b.call(t, method, params, &r)
	data, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// axNode is an element as a screen reader gets it.
type axNode struct {
	Ignored bool
	Role    struct{ Value string }
	Name    struct{ Value string }
}

func (b *tab) accessibility(t *testing.T) []axNode {
	t.Helper()
	var r struct{ Nodes []axNode }
	b.call(t, "Accessibility.getFullAXTree", nil, &r)
	return r.Nodes
}
