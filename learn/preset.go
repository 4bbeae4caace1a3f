package learn

// Preset is parameters that go together, by one name.
type Preset struct {
	Name     string
	Help     string
	Settings []string // "key=value"; others keep their defaults
}
