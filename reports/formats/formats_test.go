package formats_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/formats"
	"github.com/podburst/podburst/reports/internal/specimen"
)

// files lists what is below dir, with sizes.
func files(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	found := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		found[filepath.ToSlash(name)] = info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// DESIGN §10 promises these files to anyone who collects a run's artifacts.
func TestARunLeavesItsFiles(t *testing.T) {
	dir := t.TempDir()
	r := specimen.Golden(t)
	for range 2 { // the suite writes them after every burst
		if err := formats.WriteRun(recording.Disk{}, dir, r); err != nil {
			t.Fatal(err)
		}
	}
	found := files(t, dir)
	for _, want := range []string{
		"report.json", "junit.xml", "summary.md", "report.html", "bench.txt", "trace.json",
		"perfdata/PodStartupLatency_podburst_slow_.json", "perfdata/PodStartupLatency_podburst_tuned_.json",
		"raw/slow/warmup/pods.jsonl", "raw/slow/burst-1/pods.jsonl", "raw/tuned/burst-2/pods.jsonl",
	} {
		if found[want] == 0 {
			t.Errorf("%s is missing or empty; there are %v", want, found)
		}
	}
	for name := range found {
		if strings.ContainsAny(name, ":\\") || strings.Contains(name, ".tmp") {
			t.Errorf("%s: not a name for artifacts", name)
		}
	}
	in, err := os.Open(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	if _, err := reports.ReadJSON(in); err != nil {
		t.Errorf("report.json does not read back: %v", err)
	}
}

// What holds for every format: it takes any report, writes UTF-8 without control
// characters, and uses file names that no other format uses.
func TestEveryFormatTakesExtremes(t *testing.T) {
	for name, r := range specimen.Extremes(t) {
		t.Run(name, func(t *testing.T) {
			taken := map[string]bool{}
			for _, f := range formats.All() {
				for _, file := range f.Files(r, "artifacts/run") {
					if taken[file.Path] || strings.ContainsAny(file.Path, ":\\") || !fs.ValidPath(file.Path) {
						t.Errorf("%s: %q cannot be its file", f.Name, file.Path)
					}
					taken[file.Path] = true
					check(t, f.Name, file)
				}
			}
		})
	}
}

func check(t *testing.T, format string, file formats.File) {
	t.Helper()
	var out bytes.Buffer
	if err := file.Write(&out); err != nil {
		t.Errorf("%s: %v", format, err)
	}
	controls := "\x00\x1b\u202e"
	if format == "json" {
		controls = "\x00\x1b" // there names are data, to be returned as they are
	}
	if !utf8.Valid(out.Bytes()) || bytes.ContainsAny(out.Bytes(), controls) {
		t.Errorf("%s is no UTF-8 or holds control characters", format)
	}
	if bytes.Contains(out.Bytes(), []byte("NaN")) {
		t.Errorf("%s holds NaN", format)
	}
}

func TestTheSameRecordingGivesTheSameBytes(t *testing.T) {
	for _, build := range []func(testing.TB) *reports.Report{specimen.Golden, specimen.Kind} {
		first, second := build(t), build(t)
		for _, f := range formats.All() {
			again := f.Files(second, "run")
			for i, file := range f.Files(first, "run") {
				var a, b bytes.Buffer
				if err := errors.Join(file.Write(&a), again[i].Write(&b)); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
					t.Errorf("%s differs between two builds (%v)", file.Path, err)
				}
			}
		}
	}
}

func TestTheSizeIsLinear(t *testing.T) {
	small, large := specimen.Pods(t, 500), specimen.Pods(t, 5000)
	for _, f := range formats.All() {
		size := func(r *reports.Report) (n int) {
			for _, file := range f.Files(r, "run") {
				n += len(specimen.Text(t, r, func(w io.Writer, _ *reports.Report) error { return file.Write(w) }))
			}
			return n
		}
		if a, b := size(small), size(large); b > 11*a || b > 24<<20 {
			t.Errorf("%s: 500 pods take %d bytes, 5,000 pods %d", f.Name, a, b)
		}
	}
}

// errFull is the error of a full disk.
var errFull = errors.New("no space left on device")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrorsAreReturned(t *testing.T) {
	r := specimen.Golden(t)
	for _, f := range formats.All() {
		for _, file := range f.Files(r, "run") {
			if err := file.Write(full{}); !errors.Is(err, errFull) {
				t.Errorf("%s: error is %v", file.Path, err)
			}
		}
	}
}

// fullDisk accepts so many bytes.
type fullDisk struct {
	recording.Disk
	left int
}

func (d *fullDisk) CreateTemp(dir, pattern string) (recording.File, error) {
	f, err := d.Disk.CreateTemp(dir, pattern)
	return &fullFile{f, d}, err
}

type fullFile struct {
	recording.File
	disk *fullDisk
}

func (f *fullFile) Write(p []byte) (int, error) {
	if f.disk.left -= len(p); f.disk.left < 0 {
		return 0, errFull
	}
	return f.File.Write(p)
}

func TestAFullDiskLeavesEarlierFilesWhole(t *testing.T) {
	before, after := specimen.Build(t, specimen.Run()), specimen.Golden(t)
	whole := func(r *reports.Report) map[string][]byte {
		all := map[string][]byte{}
		for _, f := range formats.All() {
			for _, file := range f.Files(r, "run") {
				var out bytes.Buffer
				if err := file.Write(&out); err != nil {
					t.Fatal(err)
				}
				all[file.Path] = out.Bytes()
			}
		}
		return all
	}
	old, fresh := whole(before), whole(after)
	for _, left := range []int{0, 1, 1_000, 100_000, 150_000, 200_000, 300_000} {
		dir := t.TempDir()
		if _, err := formats.Write(recording.Disk{}, dir, before, "run", formats.All()); err != nil {
			t.Fatal(err)
		}
		paths, err := formats.Write(&fullDisk{left: left}, dir, after, "run", formats.All())
		if !errors.Is(err, errFull) {
			t.Fatalf("%d bytes left: error is %v", left, err)
		}
		written := 0
		for name := range files(t, dir) {
			data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case fresh[name] != nil && bytes.Equal(data, fresh[name]):
				if !bytes.Equal(old[name], fresh[name]) {
					written++
				}
			case old[name] == nil || !bytes.Equal(data, old[name]):
				t.Errorf("%d bytes left: %s is neither the old file nor the new one", left, name)
			}
		}
		if written != len(paths) {
			t.Errorf("%d bytes left: %d files are new, %d are said to be: %q", left, written, len(paths), paths)
		}
	}
}

func TestOneFormatThatFailsKeepsNoOther(t *testing.T) {
	var text bytes.Buffer
	if err := reports.WriteJSON(&text, *specimen.Golden(t)); err != nil {
		t.Fatal(err)
	}
	r, err := reports.ReadJSON(&text) // it has no individual pods, which the trace needs
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	paths, err := formats.Write(recording.Disk{}, dir, &r, dir, formats.All())
	if err == nil || !strings.Contains(err.Error(), "trace.json") {
		t.Errorf("error is %v", err)
	}
	if !slices.Contains(paths, filepath.Join(dir, "series.json")) || slices.Contains(paths, filepath.Join(dir, "trace.json")) {
		t.Errorf("written were %q", paths)
	}
}

func TestNamed(t *testing.T) {
	for _, name := range formats.Names() {
		if f, err := formats.Named(name); err != nil || f.Name != name || f.Help == "" {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	if _, err := formats.Named("trac"); err == nil || !strings.Contains(err.Error(), "trace") {
		t.Errorf("error is %v, want one that tells the nearest", err)
	}
}

func TestPrint(t *testing.T) {
	r := specimen.Golden(t)
	for _, f := range formats.All() {
		var out bytes.Buffer
		if err := f.Print(&out, r, "run"); (err != nil) != f.Folder || f.Folder != (out.Len() == 0) {
			t.Errorf("%s: %d bytes, %v", f.Name, out.Len(), err)
		}
	}
}

// BenchmarkWrite writes one burst of 5,000 pods in all formats.
func BenchmarkWrite(b *testing.B) {
	r := specimen.Pods(b, 5000)
	for _, f := range formats.All() {
		b.Run(f.Name, func(b *testing.B) {
			for b.Loop() {
				for _, file := range f.Files(r, "run") {
					if err := file.Write(io.Discard); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
