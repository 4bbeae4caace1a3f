package dense

import "github.com/coppice-ml/coppice/model"

// Model is what models have that compute with the vectors of rows, and is a part of each: what is
// predicted, and how a row becomes a vector.
type Model struct {
	Meta     model.Spec
	Encoding Encoding
}

// Spec returns the model's description.
func (m *Model) Spec() *model.Spec { return &m.Meta }

// Outputs returns the number of classes, or 1.
func (m *Model) Outputs() int {
	if m.Meta.Task.Classes() {
		return len(m.Meta.Classes)
	}
	return 1
}

// Children returns nothing.
func (m *Model) Children() []model.Child { return nil }

// Validate checks what is predicted, and the encoding. Models call it when they are validated.
func (m *Model) Validate() error {
	if err := m.Meta.Validate(); err != nil {
		return err
	}
	return m.Encoding.Validate(&m.Meta.Schema)
}
