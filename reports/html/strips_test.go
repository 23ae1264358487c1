package html

import (
	"bytes"
	"strings"
	"testing"

	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
)

func TestShadesAreOfEqualSteps(t *testing.T) {
	for share, want := range map[float64]int{0: 0, 0.005: 0, 0.02: 1, 0.2: 2, 0.59: 3, 0.8: 5, 1: 5, 7: 5} {
		if got := shade(share); got != want {
			t.Errorf("%g: shade %d, want %d", share, got, want)
		}
	}
}

func TestThePictureShowsEveryStationAndHatchesTheUnknown(t *testing.T) {
	f := newView(specimen.Kind(t)).strips()
	if len(f.Panels) != 1 || len(f.Data[0].Rows) != 16 || !strings.Contains(f.Panels[0].Desc, "Container runtime: busy for 100 %") {
		t.Fatalf("%d panels, %d rows, %q", len(f.Panels), len(f.Data[0].Rows), f.Panels[0].Desc)
	}
	for _, row := range f.Data[0].Rows {
		unknown := row[0].Text == "etcd" || row[0].Text == "admission"
		if (row[2].Text == "not known") != unknown {
			t.Errorf("%s is %s", row[0].Text, row[2].Text)
		}
	}
}

func TestWithoutTheRecordingThePictureIsLeftOutAndThePageSaysSo(t *testing.T) {
	var stored, page bytes.Buffer
	if err := reports.WriteJSON(&stored, *specimen.Kind(t)); err != nil {
		t.Fatal(err)
	}
	read, err := reports.ReadJSON(&stored)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(&page, &read); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), "fig-stations") || !strings.Contains(page.String(), "The picture of how full each station was over time needs the recording") {
		t.Error("it does not")
	}
	// The rest of the section is there.
	for _, says := range []string{"Container creation on two processors", "not explained", "· container runtime"} {
		if !strings.Contains(page.String(), says) {
			t.Errorf("it does not say %q", says)
		}
	}
}
