// Package basket is a package of types for the tests of schemas.
package basket

import (
	"encoding/json"
	"time"

	"github.com/podburst/podburst/internal/schema/testdata/fruit"
)

// Basket holds fruits.
type Basket struct {
	Kind   string    `json:"kind"`
	Filled time.Time `json:"filled"`
	// Weight is what the scale says, without the Label; null unless weighed.
	Weight *float64 `json:"weight"`
	Label  *string  `json:"label,omitempty"`
	// Fruits are all, Figs first.
	Fruits []fruit.Fruit `json:"fruits" jsonschema:"minItems=1,maxItems=2"`
	// Prices are by name of a|b.
	Prices  map[string]*Price `json:"prices"`
	Sizes   []string          `json:"sizes,omitempty" jsonschema:"enum=S,enum=M"`
	Balance int               `json:"balance,omitempty" jsonschema:"signed"`
	Depth   int               `json:"depth" jsonschema:"optional"`
	Life    float64           `json:"lifeSeconds,omitempty"`
	Hidden  int               `json:"-"`
	Handle
	// Owner is a basket, too.
	Owner *Basket `json:"owner"`
}

// Handle is embedded.
type Handle struct {
	// Width of the handle.
	Width int `json:"width" jsonschema:"minimum=1,maximum=10"`
}

// Price is null where there is none.
type Price struct {
	// Cents of a Euro; null for what is not sold.
	Cents int `json:"cents" jsonschema:"nullable"`
}

// MarshalJSON writes no 0.
func (p Price) MarshalJSON() ([]byte, error) {
	type plain Price
	if p.Cents == 0 {
		return []byte(`{"cents":null}`), nil
	}
	return json.Marshal(plain(p))
}

// JSONSchemaAlias is what MarshalJSON writes.
func (Price) JSONSchemaAlias() any {
	type plain Price
	return plain{}
}

// Own encodes itself.
type Own int

// MarshalText writes x.
func (Own) MarshalText() ([]byte, error) { return []byte("x"), nil }

// The types that have no schema.
type (
	// Encoded has a field that encodes itself.
	Encoded struct {
		Own Own `json:"own"`
	}
	// Untagged has a field without a name in files.
	Untagged struct{ Name string }
	// Mistagged has a tag with a word that there is not.
	Mistagged struct {
		Name string `json:"name" jsonschema:"minmum=1"`
	}
	// NoNumber has a limit that is none.
	NoNumber struct {
		Name string `json:"name" jsonschema:"maximum=ten"`
	}
)
