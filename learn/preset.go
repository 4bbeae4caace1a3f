package learn

// Preset is parameters that go together, by one name.
type Preset struct {
	Name     string
	Help     string
	Settings []string // "key=value"; others keep their defaults
}

// Presetter is a Learner that has presets.
type Presetter interface {
	Learner
	Presets() []Preset // for speed or for accuracy; the one called default has no settings
	Compats() []Preset // the defaults and conventions of other programs, by their names
}
