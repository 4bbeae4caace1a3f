package serve

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/model"
)

// Model is a model that is ready to serve. It is safe for concurrent use.
type Model struct {
	name, version, id string
	head              string   // the fields of an answer that say which model predicted
	levels            []string // of quantiles
	logged            []string // names of the numbers of a response, as JSON

	model   model.Model
	spec    *model.Spec
	rows    *input.NamedReader
	schema  *data.Schema // of rows of numbers: that of rows, or of structs
	bound   model.Predictor
	checked model.Checks
	checks  *model.RowChecks
	reasons reasons
	// reference is made by the first request for smallest changes.
	reference func() (*reference, error)
	scratch   sync.Pool // of *rowScratch
	batches   sync.Pool // of *batch
}

// ModelOptions are the choices of NewModel. The zero value flags all values that training had not.
type ModelOptions struct {
	// Version names a version of the model; "" is "1".
	Version string
	// Checks are what is done with values that training had not; nil: they are flagged.
	Checks *model.Checks
}

// NewModel makes a model ready to serve. It binds the model to the table that its requests
// describe, predicts the golden rows again where the model stores some, and predicts one row, so
// that the first request does not wait.
//
// Errors: a name or a version that no address can have; those of model.Model.Bind and of
// model.Verify.
func NewModel(name string, m model.Model, o ModelOptions) (*Model, error) {
	if o.Version == "" {
		o.Version = "1"
	}
	for _, part := range []string{name, o.Version} {
		if part == "" || strings.ContainsAny(part, "/:\\?#%\x00") || strings.Trim(part, ".") == "" {
			return nil, fmt.Errorf("%q cannot name a model in an address: use letters, digits, "+
				"- and _", part)
		}
	}
	id, err := coppice.ID(m)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	spec := m.Spec()
	s := &Model{name: name, version: o.Version, id: id, model: m, spec: spec,
		rows: input.NewNamedReader(&spec.Schema)}
	if err := model.Verify(m); err != nil && !errors.Is(err, model.ErrNoGolden) {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	s.checked = model.FlagAll
	if o.Checks != nil {
		s.checked = *o.Checks
	}
	if err := s.bind(s.rows.Schema()); err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	s.reference = sync.OnceValues(func() (*reference, error) { return newReference(s) })
	head := appendText([]byte(`"model":`), name)
	head = appendText(append(head, `,"version":`...), o.Version)
	s.head = string(appendText(append(head, `,"model_id":`...), id))
	for _, q := range spec.Quantiles {
		s.levels = append(s.levels, strconv.FormatFloat(q, 'g', -1, 64))
	}
	s.warm()
	return s, nil
}

// bind binds the model to rows of a schema.
func (m *Model) bind(schema *data.Schema) (err error) {
	m.schema = schema
	m.checks = m.checked.Bind(m.model, schema)
	m.reasons.budget = reasonTables()
	if m.bound, err = m.model.Bind(schema, model.Options{}); err == nil {
		m.logged = loggedNames(m.spec, m.bound.Width())
	}
	return err
}

// warm predicts a row of missing values: engines make their tables by the first row. What the
// schema refuses does not matter.
func (m *Model) warm() {
	r := m.newScratch()
	defer m.scratch.Put(r)
	for i := range m.rows.Columns() {
		m.rows.Missing(r.row, i)
	}
	_ = m.bound.PredictRow(r.response, r.row)
}

// Name returns the name that requests use.
func (m *Model) Name() string { return m.name }

// Version returns the version of the model.
func (m *Model) Version() string { return m.version }

// ID returns the hash of what the model predicts with: see coppice.ID.
func (m *Model) ID() string { return m.id }

// Schema returns the columns of PredictedRow.Row: those that tables have for the model, and behind
// them, in place of texts, what becomes of these. Callers must not change it.
func (m *Model) Schema() *data.Schema { return m.schema }

// Inner returns the model that is served.
func (m *Model) Inner() model.Model { return m.model }

// rowScratch is the memory of one row.
type rowScratch struct {
	row, response []float64
	named         []bool // by column: the row has a value of it
	flags         []model.Flag
}

func (m *Model) newScratch() *rowScratch {
	if r, _ := m.scratch.Get().(*rowScratch); r != nil {
		return r
	}
	return &rowScratch{row: make([]float64, len(m.schema.Fields)),
		response: make([]float64, m.bound.Width()), named: make([]bool, m.rows.Columns())}
}

// fulfils returns an error if clients of the model before could fail with this one: it needs a
// column that they do not send, or one of another kind, or predicts something else.
func (m *Model) fulfils(before *Model) error {
	for i := range m.rows.Columns() {
		f := m.rows.Field(i)
		at := before.rows.Index([]byte(f.Name))
		if at < 0 {
			return fmt.Errorf("it needs the column %q, which the model that serves does not have",
				f.Name)
		}
		if kind := before.rows.Field(at).Kind; kind != f.Kind {
			return fmt.Errorf("its column %q is %s, and %s in the model that serves", f.Name, f.Kind,
				kind)
		}
	}
	if m.spec.Task != before.spec.Task {
		return fmt.Errorf("its task is %s, and %s of the model that serves", m.spec.Task,
			before.spec.Task)
	}
	for _, class := range before.spec.Classes {
		if !slices.Contains(m.spec.Classes, class) {
			return fmt.Errorf("it does not have the class %q", class)
		}
	}
	return nil
}
