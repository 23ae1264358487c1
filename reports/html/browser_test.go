//go:build browser

package html_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
)

// These tests open pages in a real browser, Debian's chromium:
//
//	apt-get install -y --no-install-recommends chromium
//	go test -tags browser ./reports/html
//
// PODBURST_SCREENSHOTS names a folder for a screenshot of every page, width and
// color scheme, PODBURST_RUN a recorded run to be opened besides.

// pages returns the pages that the browser opens, by name.
func pages(t *testing.T) map[string]*reports.Report {
	t.Helper()
	extremes, all := extremes(t), map[string]*reports.Report{}
	for _, name := range []string{
		"golden", "real pods", "judged", "all invalid", "pods of others", "read from report.json", "nothing at all", "one pod", "30 profiles",
		"markup everywhere", "253 characters everywhere", "right to left everywhere",
	} {
		if all[name] = extremes[name]; all[name] == nil {
			t.Fatalf("no report is called %q", name)
		}
	}
	if dir := os.Getenv("PODBURST_RUN"); dir != "" {
		run, err := recording.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		all["run"] = specimen.Build(t, run)
	}
	return all
}

// save writes the page to a file, which is how a mailed report is opened.
func save(t *testing.T, page string) (url string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// measured is what measure finds in the page.
type measured struct {
	Overflow   float64  `json:"overflow"`
	Wide       []string `json:"wide"`
	Unnamed    []string `json:"unnamed"`
	SmallText  float64  `json:"smallText"`
	Background string   `json:"background"`
	Height     float64  `json:"height"`
	Figures    int      `json:"figures"`
}

// measure runs in the page. Text in figures is measured at its size on the screen.
const measure = `(() => {
  const doc = document.documentElement, inside = e => e.closest('.scroll, .plot, pre');
  const wide = [...document.querySelectorAll('main *, header *, footer *')].filter(e => !inside(e) || e.matches('.scroll, .plot, pre'))
    .filter(e => e.getBoundingClientRect().right > innerWidth + 0.5).map(e => e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 60));
  const small = [...document.querySelectorAll('svg text')].map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a);
  const unnamed = [...document.querySelectorAll('.plot, .scroll')].filter(e => e.tabIndex !== 0 || !e.getAttribute('aria-label')).map(e => e.className);
  return JSON.stringify({
    overflow: doc.scrollWidth - innerWidth, wide: wide.slice(0, 5), unnamed: unnamed, smallText: small.length ? Math.min(...small) : 99,
    background: getComputedStyle(document.body).backgroundColor, height: doc.scrollHeight, figures: document.querySelectorAll('figure').length,
  });
})()`

func TestPagesInTheBrowser(t *testing.T) {
	tab := openTab(t)
	shots := os.Getenv("PODBURST_SCREENSHOTS")
	for name, r := range pages(t) {
		url := save(t, render(t, r))
		for _, width := range []int{400, 1280} {
			for _, scheme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%s, %d px, %s", name, width, scheme), func(t *testing.T) {
					tab.emulate(t, width, scheme)
					tab.open(t, url)
					checkScreen(t, tab, scheme)
					if shots != "" {
						file := fmt.Sprintf("%s-%d-%s.png", strings.NewReplacer(" ", "-", ",", "").Replace(name), width, scheme)
						if err := os.WriteFile(filepath.Join(shots, file), tab.screenshot(t, width), 0o600); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// checkScreen fails on what would disturb a reader at this width.
func checkScreen(t *testing.T, tab *tab, scheme string) {
	t.Helper()
	for _, details := range []string{"as it opens", "with all details open"} {
		var m measured
		if err := json.Unmarshal([]byte(tab.evaluate(t, measure)), &m); err != nil {
			t.Fatal(err)
		}
		if m.Overflow > 0 || len(m.Wide) > 0 {
			t.Errorf("%s the page is %g px too wide: %q", details, m.Overflow, m.Wide)
		}
		if len(m.Unnamed) > 0 {
			t.Errorf("what scrolls is not to be reached by key: %v", m.Unnamed)
		}
		if m.SmallText < 9 {
			t.Errorf("text in a figure is %.1f px high", m.SmallText)
		}
		if dark := m.Background != "rgb(255, 255, 255)"; dark != (scheme == "dark") {
			t.Errorf("the background is %s in the %s scheme", m.Background, scheme)
		}
		if details == "as it opens" {
			tab.evaluate(t, "document.querySelectorAll('details').forEach(d => d.open = true), ''")
		}
	}
	tab.evaluate(t, "document.querySelectorAll('details').forEach(d => d.open = false), ''")
	if messages := tab.messages(); len(messages) > 0 {
		t.Errorf("the console says: %q", messages)
	}
}

// If the browser did not report faults, the test above would be worthless.
func TestTheBrowserTellsWhatIsWrong(t *testing.T) {
	tab := openTab(t)
	tab.emulate(t, 400, "light")
	page := render(t, specimen.Golden(t))
	page = strings.Replace(page, "</main>", `<p class="note" style="width:900px">wide</p><script>document.title = "run"</script><img src="http://127.0.0.1:9/x.png"><svg width="900" height="9"></svg></main>`, 1)
	tab.open(t, save(t, page))
	if messages := strings.Join(tab.messages(), "\n"); !strings.Contains(messages, "script") || !strings.Contains(messages, "style") || !strings.Contains(messages, "x.png") {
		t.Errorf("the policy was broken thrice, and the console says: %q", messages)
	}
	if title := tab.evaluate(t, "document.title"); title == "run" {
		t.Error("the script ran")
	}
	var m measured
	if err := json.Unmarshal([]byte(tab.evaluate(t, measure)), &m); err != nil {
		t.Fatal(err)
	}
	if m.Overflow <= 0 || len(m.Wide) == 0 {
		t.Errorf("900 px are not found too wide: %+v", m)
	}
}

func TestDetailsOpenByKey(t *testing.T) {
	tab := openTab(t)
	tab.emulate(t, 1280, "light")
	tab.open(t, save(t, render(t, judged(t))))
	total := tab.evaluate(t, "String(document.querySelectorAll('details').length)")
	reached := map[string]bool{}
	for range 400 {
		tab.key(t, "Tab")
		at := tab.evaluate(t, "document.activeElement.tagName === 'SUMMARY' ? String([...document.querySelectorAll('summary')].indexOf(document.activeElement)) : document.activeElement.tagName")
		if at == "BODY" {
			break
		}
		if at[0] >= '0' && at[0] <= '9' {
			reached[at] = true
			tab.key(t, "Enter")
		}
	}
	if fmt.Sprint(len(reached)) != total {
		t.Errorf("%d of %s details can be reached by the tab key", len(reached), total)
	}
	if open := tab.evaluate(t, "String(document.querySelectorAll('details[open]').length)"); open != total {
		t.Errorf("%s of %s details are open after Enter on each", open, total)
	}
}

func TestFiguresHaveNamesAndDescriptions(t *testing.T) {
	tab := openTab(t)
	tab.emulate(t, 1280, "light")
	tab.open(t, save(t, render(t, judged(t))))
	images := 0
	for _, node := range tab.accessibility(t) {
		if role := node.Role.Value; role != "image" && role != "img" {
			continue
		}
		images++
		if len(node.Name.Value) < 40 {
			t.Errorf("an image is called %q, without its description", node.Name.Value)
		}
	}
	if images < 10 {
		t.Errorf("a reader of the screen's text is told of %d images", images)
	}
}

func TestThePageIsPrinted(t *testing.T) {
	tab := openTab(t)
	tab.emulate(t, 1280, "dark")
	tab.open(t, save(t, render(t, judged(t))))
	pdf := tab.print(t)
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || bytes.Count(pdf, []byte("/Type /Page\n")) > 14 {
		t.Errorf("a PDF of %d bytes with %d pages", len(pdf), bytes.Count(pdf, []byte("/Type /Page\n")))
	}
	if dir := os.Getenv("PODBURST_SCREENSHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "print.pdf"), pdf, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
