package reports_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/schemas"
)

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := schemas.Read("report")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// checkSchema writes the report and validates it.
func checkSchema(t *testing.T, r reports.Report) {
	t.Helper()
	var out bytes.Buffer
	if err := reports.WriteJSON(&out, r); err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(&out)
	if err != nil {
		t.Fatal(err)
	}
	if err := compileSchema(t).Validate(value); err != nil {
		t.Errorf("the report does not follow the schema: %v", err)
	}
}

func TestTheGoldenReportFollowsTheSchema(t *testing.T) { checkSchema(t, goldenReport(t)) }

func TestTheSchemaRefuses(t *testing.T) {
	schema := compileSchema(t)
	for name, change := range map[string]func(report map[string]any){
		"a field that it does not know": func(r map[string]any) { r["extra"] = 1 },
		"a field that is gone":          func(r map[string]any) { delete(r, "verdict") },
		"another version":               func(r map[string]any) { r["schemaVersion"] = "podburst.dev/report/v1" },
		"a verdict of no run":           func(r map[string]any) { r["verdict"] = "improved" },
		"a negative count": func(r map[string]any) {
			r["bursts"].([]any)[0].(map[string]any)["accounting"].(map[string]any)["lost"] = -1
		},
		"a list that is null": func(r map[string]any) { r["reasons"] = nil },
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := reports.WriteJSON(&out, goldenReport(t)); err != nil {
				t.Fatal(err)
			}
			var value map[string]any
			if err := json.Unmarshal(out.Bytes(), &value); err != nil {
				t.Fatal(err)
			}
			change(value)
			if schema.Validate(value) == nil {
				t.Error("it was taken")
			}
		})
	}
}

func TestNumbersThatAreNotFiniteAreRefused(t *testing.T) {
	for _, bad := range []stats.Seconds{stats.Seconds(math.NaN()), stats.Seconds(math.Inf(1)), stats.Seconds(math.Inf(-1))} {
		t.Run(fmt.Sprint(float64(bad)), func(t *testing.T) {
			for place, change := range map[string]func(r *reports.Report){
				"a phase":    func(r *reports.Report) { r.Bursts[0].Phases["total"].Max = float64(bad) },
				"a makespan": func(r *reports.Report) { r.Bursts[0].MakespanSeconds = &bad },
				"a profile":  func(r *reports.Report) { r.Profiles[0].CreateSeconds = bad },
			} {
				r := goldenReport(t)
				change(&r)
				if err := reports.WriteJSON(new(bytes.Buffer), r); err == nil {
					t.Errorf("%v in %s was written", float64(bad), place)
				}
			}
		})
	}
}

func TestReadJSONRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"another schema version": `{"schemaVersion":"podburst.dev/report/v9"}`, "no version": `{}`, "no JSON": `<xml/>`, "nothing": ``,
	} {
		if _, err := reports.ReadJSON(strings.NewReader(text)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	// In v1, reasons were sentences.
	_, err := reports.ReadJSON(strings.NewReader(`{"schemaVersion":"podburst.dev/report/v1","reasons":["too slow"]}`))
	if err == nil || !strings.Contains(err.Error(), "podburst.dev/report/v1") || !strings.Contains(err.Error(), "podburst report") {
		t.Errorf("a report of an earlier version: %v; want what to do", err)
	}
}

func TestWhatIsWrittenReadsBackAsItWas(t *testing.T) {
	var first, second bytes.Buffer
	if err := reports.WriteJSON(&first, goldenReport(t)); err != nil {
		t.Fatal(err)
	}
	written := first.String()
	r, err := reports.ReadJSON(&first)
	if err != nil {
		t.Fatal(err)
	}
	if err := reports.WriteJSON(&second, r); err != nil {
		t.Fatal(err)
	}
	if written != second.String() {
		t.Error("a report changes when it is read and written again")
	}
}

func FuzzReadJSON(f *testing.F) {
	f.Add(`{"schemaVersion":"podburst.dev/report/v3","bursts":[{"stations":[{"station":"etcd","follows":"etcd"},{"station":"etcd","follows":"client-limiter"}],"makespanSeconds":1,"phases":{"total":null}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := reports.ReadJSON(strings.NewReader(text))
		if err != nil {
			return
		}
		for name, write := range formats {
			if err := write(new(bytes.Buffer), r); err != nil && name != "junit.xml" {
				t.Errorf("%s of a report that was read: %v", name, err)
			}
		}
	})
}
