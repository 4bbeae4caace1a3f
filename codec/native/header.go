package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// header is the JSON header: everything but numbers and dictionaries. Its keys are written in this
// order, without spaces.
type header struct {
	Model   string          `json:"model"` // the type of the model: the name of a row of kinds
	Task    data.Task       `json:"task"`
	Label   text            `json:"label,omitempty"`
	Format  string          `json:"label_format,omitempty"` // model.Spec.LabelFormat
	Roles   json.RawMessage `json:"roles,omitempty"`        // roles; absent: no column has one
	Classes json.RawMessage `json:"classes,omitempty"`      // []text
	Schema  struct {
		Fields json.RawMessage `json:"fields,omitempty"`            // []field
		Tokens json.RawMessage `json:"missing_tokens,omitempty"`    // []text; absent: nil
		Of     json.RawMessage `json:"missing_tokens_of,omitempty"` // []columnTokens; absent: nil
		Absent data.Absent     `json:"absent_values,omitempty"`
		First  data.FirstIndex `json:"first_index,omitempty"` // absent: unknown
	} `json:"schema,omitzero"`
	memberKeys
	kindKeys

	Learner text            `json:"learner"`
	Params  json.RawMessage `json:"params,omitempty"`
	Summary json.RawMessage `json:"summary,omitempty"`
	Costs   json.RawMessage `json:"costs,omitempty"` // data.Costs; absent: nil

	Threshold float64 `json:"threshold,omitempty"`
	// the positive one of two classes; absent: the second
	Positive  *text           `json:"positive,omitempty"`
	Quantiles json.RawMessage `json:"quantiles,omitempty"` // []float64; absent: nil

	// absent: nil
	TrainedOn *model.TrainedOn `json:"trained_on,omitempty"`
	Study     *model.Study     `json:"study,omitempty"`
	// permutationHead; absent: nil
	Permutation json.RawMessage `json:"permutation_importance,omitempty"`

	writing
}

// writing is what a header is written for.
type writing struct {
	bare    bool // only what predictions depend on is stored
	words   bool // sets of categories are stored by words alone
	numbers bool // a field has data.NumberLevels: some version of the format is the least
}

// memberKeys are the keys of models inside other models.
type memberKeys struct {
	// classes and fields are those of the model around
	Common bool `json:"same,omitempty"`
	// where Common holds: the model has no classes
	Plain bool `json:"no_classes,omitempty"`
	// where Common holds: []int, the fields by their places there; absent: all
	Columns json.RawMessage `json:"columns,omitempty"`
}

// kindKeys are the keys that only some kinds of models have.
type kindKeys struct {
	Trees   int    `json:"trees,omitempty"`   // ensembles: number of trees
	Combine string `json:"combine,omitempty"` // ensembles, committees
	originKeys
	// committees that multiply probabilities: what a smaller one counts as
	Floor float64 `json:"floor,omitempty"`
	// ensembles, committees that sum, linear models; absent: nil
	Link  string `json:"link,omitempty"`
	Rules int    `json:"rules,omitempty"` // rules: their number
	// committees: their number; stacks: with the meta-learner, the last
	Members int    `json:"members,omitempty"`
	Method  string `json:"method,omitempty"` // calibrated models: the form of their calibrators

	Names json.RawMessage `json:"names,omitempty"` // stacks: []text, of the members
	// stacks: the output of members that the meta-learner is trained on
	MemberOutput string `json:"member_output,omitempty"`
	// stacks: the meta-learner is trained on the columns of the table too
	Passthrough bool `json:"passthrough,omitempty"`

	Neighbours json.RawMessage `json:"knn,omitempty"`        // neighbourHead
	Kernel     json.RawMessage `json:"kernel,omitempty"`     // vector machines: kernelHead
	Activation string          `json:"activation,omitempty"` // networks
}

// originKeys are the keys of ensembles that come from other tools.
type originKeys struct {
	RoundsUsed  int  `json:"rounds_used,omitempty"` // model.Ensemble.Best
	Tool        text `json:"tool,omitempty"`        // model.Origin; absent: none
	ToolVersion text `json:"tool_version,omitempty"`
	// model.Origin.Objective, Categories and Settings; absent: unknown
	ToolObjective  text            `json:"tool_objective,omitempty"`
	ToolCategories json.RawMessage `json:"tool_categories,omitempty"` // []storedAs
	ToolSettings   json.RawMessage `json:"tool_settings,omitempty"`   // []toolSetting
	// model.Certificate; absent: nil
	Certificate json.RawMessage `json:"certificate,omitempty"`
}

// field is a data.Field whose dictionary lies in the section of texts.
type field struct {
	Name    text        `json:"name"`
	Kind    data.Kind   `json:"kind"`
	Format  text        `json:"format,omitempty"`
	From    *datePart   `json:"from,omitempty"`   // nil: the column was made of no date
	Text    *textPart   `json:"text,omitempty"`   // nil: the column was made of no text
	Levels  int         `json:"levels,omitempty"` // their number
	Missing data.Policy `json:"missing"`
	Unseen  data.Policy `json:"unseen"`
	// the levels are numbers: data.NumberLevels, of which older programs know nothing
	Numbers bool `json:"numbers,omitempty"`
}

// datePart is a data.DatePart.
type datePart struct {
	Source text            `json:"source"`
	Format data.DateFormat `json:"format,omitempty"`
	Part   data.Part       `json:"part"`
	Origin float64         `json:"origin,omitempty"`
}

// textPart is a data.TextPart.
type textPart struct {
	Source text            `json:"source"`
	Format data.TextFormat `json:"format"`
	Bucket int             `json:"bucket"`
}

// newField describes a column, but for its dictionary.
func newField(f *data.Field) field {
	own := field{Name: text(f.Name), Kind: f.Kind, Format: text(f.Format), Levels: len(f.Levels),
		Missing: f.Missing, Unseen: f.Unseen}
	if own.Numbers = f.Numbers(); own.Numbers {
		own.Format = ""
	}
	if d := f.From; d != nil {
		own.From = &datePart{Source: text(d.Source), Format: d.Format, Part: d.Part,
			Origin: d.Origin}
	}
	if t := f.Text; t != nil {
		own.Text = &textPart{Source: text(t.Source), Format: t.Format, Bucket: t.Bucket}
	}
	return own
}

// parse returns the column, without its dictionary.
func (f *field) parse() data.Field {
	parsed := data.Field{Name: string(f.Name), Kind: f.Kind, Format: string(f.Format),
		Missing: f.Missing, Unseen: f.Unseen}
	if f.Numbers && parsed.Format == "" {
		parsed.Format = data.NumberLevels
	}
	if d := f.From; d != nil {
		parsed.From = &data.DatePart{Source: string(d.Source), Format: d.Format, Part: d.Part,
			Origin: d.Origin}
	}
	if t := f.Text; t != nil {
		parsed.Text = &data.TextPart{Source: string(t.Source), Format: t.Format, Bucket: t.Bucket}
	}
	return parsed
}

// newHeader describes what all models have; the rest is the business of their kind.
func newHeader(model string, s *model.Spec) *header {
	h := &header{
		Model: model, Task: s.Task, Label: text(s.Label), Format: s.LabelFormat,
		Learner: text(s.Learner), Params: s.Params, Summary: s.Summary,
		Threshold: s.Decision.Threshold, TrainedOn: s.TrainedOn, Study: s.Study,
	}
	if s.Decision.FirstPositive && len(s.Classes) > 0 {
		positive := text(s.Classes[0])
		h.Positive = &positive
	}
	fields := []field{}
	for i := range s.Schema.Fields {
		own := newField(&s.Schema.Fields[i])
		fields, h.numbers = append(fields, own), h.numbers || own.Numbers || own.Format == data.CodeLevels
	}
	h.Roles = marshalRoles(&s.Roles)
	if len(s.Classes) > 0 {
		h.Classes = stored(cast[text](s.Classes))
	}
	if s.Decision.Costs != nil {
		h.Costs = stored(s.Decision.Costs)
	}
	if s.Quantiles != nil {
		h.Quantiles = stored(s.Quantiles)
	}
	if s.Permutation != nil {
		h.Permutation = marshalPermutation(s.Permutation)
	}
	if s.Schema.Tokens != nil {
		h.Schema.Tokens = stored(cast[text](s.Schema.Tokens))
	}
	if s.Schema.TokensOf != nil {
		h.Schema.Of = stored(tokensByColumn(s.Schema.TokensOf))
	}
	h.Schema.Absent = s.Schema.AbsentValues
	if s.Schema.FirstIndex != s.Schema.ImpliedFirstIndex() { // else readers infer it
		h.Schema.First = s.Schema.FirstIndex
	}
	h.Schema.Fields = stored(fields)
	return h
}

// section returns the section of the header.
func (h *header) section() section {
	since := version1
	if len(h.Roles) > 0 || h.Schema.First != "" || len(h.Schema.Of) > 0 || h.ToolObjective != "" ||
		len(h.ToolCategories) > 0 || len(h.ToolSettings) > 0 || h.numbers ||
		h.TrainedOn != nil && h.TrainedOn.Plan != nil {
		since = version1_1
	}
	return bytesSection("header", required, since, stored(h))
}

// memory that one element of a JSON array costs, with its fraction of the maps that check it
const elementCost = 512

// parse reads the header and what it has for any model; levels is the number of dictionary texts of
// each field that is not shared with the model around.
func (h *header) parse(p *payload, around *model.Spec, b *budget) (s *model.Spec, levels []int) {
	b.take(4 * int64(len(p.data)))
	p.check(json.Unmarshal(p.data, h))
	s = &model.Spec{Task: h.Task, Label: string(h.Label), LabelFormat: h.Format,
		Learner: string(h.Learner), Params: h.Params, Summary: h.Summary, TrainedOn: h.TrainedOn, Study: h.Study}
	s.Decision.Threshold = h.Threshold
	if h.Common {
		h.parseShared(s, p, around, b)
	} else {
		levels = h.parseOwn(s, p, b)
	}
	if len(h.Roles) > 0 {
		h.parseRoles(s, p, b)
	}
	if h.Positive != nil {
		h.parsePositive(s, p)
	}
	if len(h.Costs) > 0 {
		h.parseCosts(s, p, b)
	}
	if len(h.Quantiles) > 0 {
		s.Quantiles = list[float64](h.Quantiles, p, b)
	}
	if len(h.Permutation) > 0 {
		s.Permutation = parsePermutation(h.Permutation, p, b)
	}
	return s, levels
}

// parseOwn reads classes and schema.
func (h *header) parseOwn(s *model.Spec, p *payload, b *budget) (levels []int) {
	if len(h.Classes) > 0 {
		s.Classes = cast[string](list[text](h.Classes, p, b))
	}
	if len(h.Schema.Tokens) > 0 {
		s.Schema.Tokens = cast[string](list[text](h.Schema.Tokens, p, b))
	}
	if len(h.Schema.Of) > 0 {
		s.Schema.TokensOf = h.parseTokensOf(p, b)
	}
	s.Schema.AbsentValues, s.Schema.FirstIndex = h.Schema.Absent, h.Schema.First
	for _, f := range list[field](h.Schema.Fields, p, b) {
		s.Schema.Fields = append(s.Schema.Fields, f.parse())
		levels = append(levels, f.Levels)
	}
	return levels
}

// parsePositive finds the positive one of two classes.
func (h *header) parsePositive(s *model.Spec, p *payload) {
	at := slices.Index(s.Classes, string(*h.Positive))
	if len(s.Classes) != 2 || at < 0 {
		p.corrupt(0, "the positive class %q is not one of two", string(*h.Positive))
	}
	s.Decision.FirstPositive = at == 0
}

// parseCosts reads the costs of wrong labels. Whatever the model, they fit its classes.
func (h *header) parseCosts(s *model.Spec, p *payload, b *budget) {
	for _, raw := range list[json.RawMessage](h.Costs, p, b) {
		s.Decision.Costs = append(s.Decision.Costs, list[float64](raw, p, b))
	}
	p.check(s.Decision.Costs.Check(len(s.Classes)))
}

// list reads a JSON array after making sure that its elements fit the budget.
func list[T any](raw json.RawMessage, p *payload, b *budget) []T {
	n := elements(raw)
	b.take(elementCost * n)
	s := make([]T, 0, n)
	if len(raw) == 0 {
		return s
	}
	p.check(json.Unmarshal(raw, &s))
	return s
}

// elements counts the elements of a valid JSON array.
func elements(raw []byte) int64 {
	n, depth, quoted := int64(0), 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 1:
			n++
		}
	}
	return n + 1
}

// text is a string in JSON that may hold any bytes: one that is not UTF-8 (tables have such names)
// is written as {"bytes": "..."} in base64.
type text string

// cast returns strings as texts, or texts as strings; nil as nil.
func cast[T, S ~string](from []S) []T {
	if from == nil {
		return nil
	}
	to := make([]T, len(from))
	for i, s := range from {
		to[i] = T(s)
	}
	return to
}

type textBytes struct {
	Bytes []byte `json:"bytes"`
}

// MarshalJSON writes the text.
func (t text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return marshal(string(t))
	}
	return marshal(textBytes{[]byte(t)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var x textBytes
		err := json.Unmarshal(b, &x)
		*t = text(x.Bytes)
		return err
	}
	return json.Unmarshal(b, (*string)(t))
}

// stored is marshal of what a model holds.
func stored(v any) json.RawMessage {
	b, err := marshal(v)
	if err != nil {
		foreign.Check(fmt.Errorf("%s model: cannot be stored: %w", name, err))
	}
	return b
}

// marshal is json.Marshal without the escapes for HTML, for readers of the file's bytes.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
