package parity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// DifferenceError reports that a model and what it was read from do not predict the same.
type DifferenceError struct {
	Row    int       // of the probes, from 0
	Values []float64 // of that row
	What   string    // "leaf of tree 3", "score 0", "response 1"
	Got    float64   // by the model
	Want   float64
}

func (e *DifferenceError) Error() string {
	return fmt.Sprintf("probe row %d: the %s is %v, expected %v", e.Row+1, e.What, e.Got, e.Want)
}

// Rows are compared up to mostChunk at a time: fewer where they pass many nodes, so that a
// comparison ends soon after its context, or where they have many outputs.
const (
	mostChunk    = 4096
	chunkPassed  = 1 << 25
	chunkOutputs = 1 << 22
)

// chunkOf returns the number of rows that are compared at a time.
func chunkOf(m *model.Ensemble) int {
	rows := min(chunkPassed/max(1, passed(m)),
		chunkOutputs/max(1, m.Outputs(), m.Scores()))
	return max(1, min(rows, mostChunk))
}

// Compare compares the leaves, scores and responses of a model with a reference that was read from
// the same file, on probes. single reports that the reference adds up in single precision. A leaf
// that differs, or a value beyond Allowed, is a *DifferenceError. The certificate keeps some of the
// rows, for Verify.
func Compare(
	ctx context.Context, m *model.Ensemble, ref codec.Reference, single bool, p *Probes,
) (*model.Certificate, error) {
	if ref.Trees() != len(m.Trees) || ref.Scores() != m.Scores() || ref.Outputs() != m.Outputs() {
		return nil, fmt.Errorf("the model has %d trees, %d scores and %d outputs, the file %d, %d "+
			"and %d", len(m.Trees), m.Scores(), m.Outputs(), ref.Trees(), ref.Scores(), ref.Outputs())
	}
	cert := &model.Certificate{Rows: p.Rows(), Splits: p.Splits, Probed: p.Probed,
		Unprobed: p.Unprobed, Leaves: true, Allowed: Allowed(m, single)}
	c := &comparison{probes: p, cert: cert, slack: 1e-12, leaves: make([]int32, ref.Trees()),
		scores: make([]float64, ref.Scores()), response: make([]float64, ref.Outputs()),
		steps: steps(m)}
	if single {
		c.slack = 1e-6 // the tool's exponential is one of single precision
	}
	kept, chunk := newKept(p.Rows(), max(m.Outputs(), m.Scores())), chunkOf(m)
	for from := 0; from < p.Rows(); from += chunk {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+chunk, p.Rows())
		o, err := predict(m, p, from, to)
		if err != nil {
			return nil, err
		}
		for i := from; i < to; i++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := c.row(ref, o, i, i-from); err != nil {
				return nil, err
			}
			kept.add(i, p.Row(i), c.scores)
		}
	}
	cert.Largest, cert.Probes, cert.Expected = c.largest, kept.values, kept.expected
	return cert, nil
}

// Expect compares a model with outputs that the tool itself computed for probes: responses, or raw
// scores, row after row, as many for each row as the model has; of two classes those of the second
// alone will do. slack is the difference that is allowed, relative to values above 1. A value
// beyond it is a *DifferenceError.
func Expect(
	ctx context.Context, m *model.Ensemble, p *Probes, output model.Output, expected []float64, slack float64,
) (*model.Certificate, error) {
	return expect(ctx, m, p, expected, &model.Certificate{FromTool: true, Output: output.String(),
		Allowed: slack})
}

// expect compares a model with expected values as a certificate describes it, and completes that.
func expect(
	ctx context.Context, m *model.Ensemble, p *Probes, expected []float64, cert *model.Certificate,
) (*model.Certificate, error) {
	output := model.Raw
	if cert.FromTool {
		if err := output.UnmarshalText([]byte(cert.Output)); err != nil {
			return nil, err
		}
	}
	width := len(expected) / max(1, p.Rows())
	if p.Rows() == 0 || width*p.Rows() != len(expected) {
		return nil, fmt.Errorf("%d expected values of %d rows", len(expected), p.Rows())
	}
	c := &comparison{probes: p}
	kept, chunk := newKept(p.Rows(), max(m.Outputs(), m.Scores())), chunkOf(m)
	for from := 0; from < p.Rows(); from += chunk {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+chunk, p.Rows())
		got, n, err := outputs(m, p, output, from, to)
		if err != nil {
			return nil, err
		}
		if width != n && !(n == 2 && width == 1) {
			return nil, fmt.Errorf("%d expected values for each row, the model has %d", width, n)
		}
		for i := from; i < to; i++ {
			own, want := got[(i-from)*n:][:n], expected[i*width:][:width]
			for k, w := range want {
				what := fmt.Sprintf("%s %d", output, k)
				if err := c.compare(i, what, own[n-width+k], w, allowed(cert, w)); err != nil {
					return nil, err
				}
			}
			kept.add(i, p.Row(i), want)
		}
	}
	cert.Rows, cert.Splits, cert.Probed, cert.Largest = p.Rows(), p.Splits, p.Probed, c.largest
	cert.Unprobed, cert.Probes, cert.Expected = p.Unprobed, kept.values, kept.expected
	return cert, nil
}

// allowed returns the difference that a certificate allows from an expected value. The values of
// equations have no bound but their own size.
func allowed(cert *model.Certificate, want float64) float64 {
	if cert.FromTool {
		return cert.Allowed * max(1, math.Abs(want))
	}
	return max(cert.Allowed, 1e-12*math.Abs(want))
}

// Allowed returns the difference that the rounding of sums may make to a raw score: 1e-12 of the
// sum of the trees' largest leaves in double precision, and in single precision 2^-24 of it for
// each addition.
func Allowed(m *model.Ensemble, single bool) float64 {
	sum := 0.0
	for i, t := range m.Trees {
		sum += float64(math.Abs(m.WeightOf(i)) * largestLeaf(t))
	}
	if d := m.Divisors(); d != nil {
		least := math.Inf(1)
		for _, x := range d {
			least = min(least, math.Abs(x))
		}
		sum /= least
	}
	for _, b := range m.Bias {
		sum += math.Abs(b)
	}
	if single {
		return float64(len(m.Trees)+1) * 0x1p-24 * sum
	}
	return 1e-12 * max(1, sum)
}

// largestLeaf returns the largest absolute value of the values of a tree.
func largestLeaf(t *tree.Tree) float64 {
	most := 0.0
	for _, v := range t.Leaf.Value {
		most = max(most, math.Abs(v))
	}
	return most
}

// comparison is the state of one comparison.
type comparison struct {
	probes   *Probes
	cert     *model.Certificate
	slack    float64 // of responses, relative
	steps    bool    // responses step where a score passes 0
	largest  float64
	leaves   []int32
	scores   []float64
	response []float64
}

// A certificate keeps so many rows, and fewer of models with very many outputs.
const (
	mostKept   = 512
	keptValues = 1 << 22
)

// kept is the rows that a certificate keeps, evenly chosen.
type kept struct {
	next             []int
	values, expected []float64
}

func newKept(rows, outputs int) *kept {
	k := &kept{}
	n := min(rows, mostKept, max(1, keptValues/max(1, outputs)))
	for i := range n {
		k.next = append(k.next, i*rows/n)
	}
	return k
}

// add keeps row i if it is one of those.
func (k *kept) add(i int, row, expected []float64) {
	if len(k.next) > 0 && k.next[0] == i {
		k.next = k.next[1:]
		k.values = append(k.values, row...)
		k.expected = append(k.expected, expected...)
	}
}

// predicted is what a model predicts for a chunk of rows.
type predicted struct {
	leaves, scores, responses []float64
	outputs                   int
}

func predict(m *model.Ensemble, p *Probes, from, to int) (*predicted, error) {
	var o predicted
	var err error
	if o.leaves, _, err = outputs(m, p, model.Leaf, from, to); err != nil {
		return nil, err
	}
	if o.scores, _, err = outputs(m, p, model.Raw, from, to); err != nil {
		return nil, err
	}
	o.responses, o.outputs, err = outputs(m, p, model.Response, from, to)
	return &o, err
}

// outputs returns an output of rows from..to and its width. Leaves are those of all trees.
func outputs(
	m model.Model, p *Probes, output model.Output, from, to int,
) ([]float64, int, error) {
	f, err := p.Frame(&m.Spec().Schema, from, to)
	if err != nil {
		return nil, 0, err
	}
	with := model.Options{Output: output}
	if output == model.Leaf {
		with.Rounds = model.AllRounds
	}
	predictor, err := m.Bind(&f.Schema, with)
	if err != nil {
		return nil, 0, err
	}
	w := predictor.Width()
	dst := make([]float64, (to-from)*w)
	return dst, w, predictor.Predict(dst, f, nil)
}

// row compares row i, which is row at of what was predicted.
func (c *comparison) row(ref codec.Reference, o *predicted, i, at int) error {
	row := c.probes.Row(i)
	ref.Leaves(c.leaves, row)
	for t, want := range c.leaves {
		if got := o.leaves[at*len(c.leaves)+t]; got != float64(want) {
			return &DifferenceError{i, row, fmt.Sprintf("leaf of tree %d", t), got, float64(want)}
		}
	}
	n := len(c.scores)
	return c.values(ref, o.scores[at*n:][:n], o.responses[at*o.outputs:][:o.outputs], i)
}

// values compares the scores and responses of row i.
func (c *comparison) values(ref codec.Reference, scores, responses []float64, i int) error {
	row := c.probes.Row(i)
	ref.Raw(c.scores, row)
	for k, want := range c.scores {
		err := c.compare(i, fmt.Sprintf("score %d", k), scores[k], want, allowed(c.cert, want))
		if err != nil {
			return err
		}
	}
	if c.undecided(c.cert.Allowed) {
		return nil
	}
	ref.Response(c.response, row)
	found := c.largest // that of scores is what counts
	for k, want := range c.response {
		// a link may magnify the difference of scores as the exponential does, in proportion
		allowed := (c.cert.Allowed + c.slack) * max(1, 2*math.Abs(want))
		if err := c.compare(i, fmt.Sprintf("response %d", k), responses[k], want, allowed); err != nil {
			return err
		}
	}
	c.largest = found
	return nil
}

// steps reports whether the responses of a model step from 0 to 1 where a score passes 0.
func steps(m *model.Ensemble) bool { return m.Link == link.Step() }

// undecided reports whether the rounding of sums, which may make the given difference, decides the
// responses: one of the reference's scores is as near to the step as that.
func (c *comparison) undecided(allowed float64) bool {
	return c.steps && slices.ContainsFunc(c.scores, func(s float64) bool {
		return math.Abs(s) <= allowed
	})
}

// compare compares two numbers; NaN and infinities are equal to themselves.
func (c *comparison) compare(i int, what string, got, want, allowed float64) error {
	if got == want || got != got && want != want {
		return nil
	}
	d := math.Abs(got - want)
	if !(d <= allowed) {
		return &DifferenceError{i, c.probes.Row(i), what, got, want}
	}
	c.largest = max(c.largest, d)
	return nil
}

// ErrNoCertificate is returned for a model that was not imported, or not compared.
var ErrNoCertificate = errors.New("the model has no certificate: coppice convert compares a model " +
	"of another tool with its file, and stores one")

// Verify repeats the comparison of a model's certificate on the rows that it keeps, and returns the
// largest difference. A difference that is not allowed is a *DifferenceError. A model without a
// certificate is ErrNoCertificate.
func Verify(ctx context.Context, m *model.Ensemble) (largest float64, err error) {
	if m.Origin == nil || m.Origin.Certificate == nil {
		return 0, ErrNoCertificate
	}
	again := *m.Origin.Certificate
	p := &Probes{Columns: len(m.Meta.Schema.Fields), Values: again.Probes}
	found, err := expect(ctx, m, p, again.Expected, &again)
	if err != nil {
		return 0, err
	}
	return found.Largest, nil
}
