// Package fruit is a package of types for the tests of schemas.
package fruit

// Color of a fruit.
type Color string

// The colors.
const (
	Red   Color = "red"
	Green Color = "green"
)

// Fruit is a fruit that grows.
type Fruit struct {
	Name  string `json:"name" jsonschema:"minLength=1"`
	Color Color  `json:"color"`
	// Seeds are counted.
	Seeds int `json:"seeds"`
}
