package learn

// Preset is parameters that go together, by one name.
type Preset struct {
	Name string
	Help string
	// Learner is trained in place of the one that has the preset, by its name; "" = that one.
	Learner  string
	Settings []string // "key=value"; others keep their defaults
}
