package reports

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/podburst/podburst/schemas"
)

// Validate checks a report.json against its schema (schemas/).
func Validate(data []byte) error {
	schema, err := compiledSchema()
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("validate report: %w", err)
	}
	if err := schema.Validate(document); err != nil {
		return fmt.Errorf("validate report: %w", err)
	}
	return nil
}

var compiledSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	text, err := schemas.Read("report")
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.json", document); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	schema, err := c.Compile("report.json")
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	return schema, nil
})
